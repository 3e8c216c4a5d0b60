// Which files are source code, by name alone: the table of endings and whole names, and the folders that hold other
// people's code. Nothing here reads a file or knows a comment opener; every language shares one table of those
// (extract/governing-line.ts). Surprise: configuration such as YAML and HCL counts as source, because people govern it.

/** Endings of source files, lower case, with dot. */
export const SOURCE_ENDINGS: readonly string[] = [
  // The web.
  'js jsx mjs cjs ts tsx mts cts vue svelte astro html htm xhtml css scss sass less styl',
  'hbs ejs pug twig njk liquid erb haml jsp cshtml razor',
  // C and what compiles like it.
  'c h cc hh cpp hpp cxx hxx c++ h++ m mm ino cu cuh rs go zig nim d v odin s asm',
  // Virtual machines.
  'java kt kts scala sc groovy gradle clj cljs cljc edn cs fs fsx fsi vb dart swift',
  // Scripts.
  'py pyi pyw pyx rb rake gemspec php phtml pl pm t lua tcl r jl sh bash zsh fish ksh ps1 psm1 psd1 bat cmd awk vim',
  // Functional, hardware, the rest.
  'ex exs erl hrl elm hs lhs ml mli re res purs lisp lsp cl el scm rkt pro ada adb ads pas pp f f77 f90 f95 f03 for',
  'cob cbl vhd vhdl sv svh sol move cairo wat gd glsl vert frag hlsl wgsl metal tex sty cls qml abap apex',
  // Data definition, queries and infrastructure.
  'sql psql plsql prisma graphql gql proto thrift avdl tf tfvars hcl nix bicep cue dhall rego jsonnet libsonnet',
  'yml yaml cmake mk mak bzl bazel just',
].flatMap((line) => line.split(' ').map((ending) => `.${ending}`))
const ENDINGS: ReadonlySet<string> = new Set(SOURCE_ENDINGS)

/** Whole names, lower case, for files whose ending says nothing. */
const NAMES: ReadonlySet<string> = new Set(
  (
    'makefile gnumakefile dockerfile containerfile jenkinsfile vagrantfile rakefile gemfile guardfile podfile fastfile ' +
    'brewfile procfile justfile tiltfile caddyfile build workspace sconstruct sconscript cmakelists.txt meson.build'
  ).split(' '),
)

/** Names that programs write and nobody governs. */
const GENERATED: ReadonlySet<string> = new Set(['pnpm-lock.yaml'])
const GENERATED_ENDINGS = ['.min.js', '.min.css'] as const

/** Folders of dependencies and of built things, at any depth. Hidden ones are skipped as well. */
const SKIPPED: ReadonlySet<string> = new Set(
  'node_modules bower_components vendor venv __pycache__ site-packages Pods dist build target'.split(' '),
)

/** Folders that hold prose where they stand at the top of a module, and may hold source further down. */
const SKIPPED_AT_TOP: ReadonlySet<string> = new Set(['docs'])

/**
 * True where a file of this name (no folders) is source code. `extra` is `graph.sources` of the configuration: endings
 * (`.foo`) and whole names, taken without regard to case (sheet artifact-graph §5 "Files walked").
 */
export function isSourceName(name: string, extra: readonly string[]): boolean {
  const lower = name.toLowerCase()
  const added = extra.some((entry) => {
    const wanted = entry.toLowerCase()
    return wanted.startsWith('.') ? lower.length > wanted.length && lower.endsWith(wanted) : lower === wanted
  })
  if (added) return true
  if (name.startsWith('.') || GENERATED.has(lower) || GENERATED_ENDINGS.some((end) => lower.endsWith(end))) return false
  const dot = lower.lastIndexOf('.')
  // `Dockerfile.dev` and `Makefile.am` are what stands before the dot.
  return NAMES.has(lower) || (dot > 0 && (ENDINGS.has(lower.slice(dot)) || VARIANTS.has(lower.slice(0, dot))))
}

const VARIANTS: ReadonlySet<string> = new Set(['makefile', 'dockerfile', 'containerfile', 'jenkinsfile'])

/**
 * True where a folder, or one above it, holds no source code of the module's own: hidden, dependencies, built things,
 * and `docs` at the top. `dirKey` is relative to the module, `/`-separated; the module itself, empty, is never skipped
 * (sheet artifact-graph §5 "Files walked").
 */
export function skipsFolder(dirKey: string): boolean {
  if (dirKey === '') return false
  const parts = dirKey.split('/')
  return SKIPPED_AT_TOP.has(parts[0] ?? '') || parts.some((part) => part.startsWith('.') || SKIPPED.has(part))
}
