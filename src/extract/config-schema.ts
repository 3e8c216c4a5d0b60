// What `.specdex/config.yml` may say, as a valibot schema: the one source. The committed src/model/config.schema.json is
// generated from it by a test (UPDATE_SCHEMA=1 writes it). Surprise: the messages only say what is expected; what was
// found and where is added by config.ts when an error is told.

import * as v from 'valibot'
import { type Config, DEFAULT_CONFIG } from '../model/config.ts'
import { FAMILIES } from '../model/families.ts'
import { EDGE_TYPES } from '../model/vocabulary.ts'

/** SQLite and timers count milliseconds in 32 bits. */
const MOST_MS = 2 ** 31 - 1
const MODES = ['default', 'forgedock-1.7'] as const
const ARTIFACT_KINDS = ['adr', 'spec'] as const
/** The conventions that come with the program; `custom` ones have names of their own. */
const BUILT_IN = ['sdd', 'adr-numbered', 'log4brains', 'openspec', 'spec-kit', 'kiro', 'backstage'] as const
/** What a field or link line of a custom convention may mean: an edge between artifacts, or one turned round. */
const EDGE_NAMES = [
  ...new Set(
    EDGE_TYPES.filter((type) => type.family === 'artifact' && type.rule === 'artifact-field').flatMap((type) => [
      type.name,
      type.inverse,
    ]),
  ),
]

const FAMILIES_ARE =
  'What is indexed: `spec` (commands, scripts, devdocs), `docs`, `artifact` (ADRs and specs), `code` (source files).'

export const KEYS = 'keys and values'
const INSIDE = 'a path or glob inside the root'
const FAMILY = `one of ${FAMILIES.join(', ')}`
const MODE = `one of ${MODES.join(', ')}`
const MARKER = 'a marker such as FORGE:DISPATCHER'
const KIND_OF_ARTIFACT = `one of ${ARTIFACT_KINDS.join(', ')}`
const EDGE_NAME = `one of ${EDGE_NAMES.join(', ')}`
const ID_TEMPLATE = 'an id with {number}, {slug}, {folder} or {heading} in it'
const OPENER = 'one to eight characters without blanks, such as `--`'
const SOURCE = 'an ending such as `.foo` or the name of a file'
const CONVENTION = 'a convention, as `name` or `name:folder`'
const CUSTOM_NAME = 'a name of small letters, digits and dashes that no convention has yet'
const WORDS = 'a name'
const NOT_EMPTY = 'a list that is not empty'
const REPOSITORY = 'a repository as owner/name'
const ASSOCIATIONS = [
  'OWNER',
  'MEMBER',
  'COLLABORATOR',
  'CONTRIBUTOR',
  'FIRST_TIME_CONTRIBUTOR',
  'FIRST_TIMER',
  'MANNEQUIN',
  'NONE',
] as const
const ASSOCIATION = `one of ${ASSOCIATIONS.join(', ')}`
const LOGIN = 'a login'
const ADDRESS = 'an address that starts with http:// or https://'
const YES_OR_NO = 'true or false'
const UNIQUE = 'a list without repetition'

const insideRoot = v.pipe(v.string(INSIDE), v.regex(/^(?!\/)(?!(?:[^\0]*\/)?\.\.(?:\/|$))[^\0]+$/, INSIDE))

function listOf<T extends v.GenericSchema>(item: T, description: string) {
  return v.pipe(v.array(item, 'a list'), v.description(description))
}

function wholeNumber(most: number, description: string) {
  const wanted = `a whole number from 1 to ${most}`
  return v.pipe(
    v.number(wanted),
    v.safeInteger(wanted),
    v.minValue(1, wanted),
    v.maxValue(most, wanted),
    v.description(description),
  )
}

function mapping<T extends v.ObjectEntries>(entries: T, description: string) {
  return v.pipe(v.strictObject(entries, KEYS), v.description(description))
}

const { limits, spec, graph, ledger } = DEFAULT_CONFIG

const limitsSchema = mapping(
  {
    file_bytes: v.optional(
      wholeNumber(Number.MAX_SAFE_INTEGER, 'Bytes above which a document is skipped. The spec corpora are exempt.'),
      limits.file_bytes,
    ),
    busy_ms: v.optional(
      wholeNumber(MOST_MS, 'Milliseconds to wait for another process that holds the index.'),
      limits.busy_ms,
    ),
    sql_ms: v.optional(wholeNumber(MOST_MS, 'Milliseconds after which `specdex sql` is stopped.'), limits.sql_ms),
    sql_rows: v.optional(
      wholeNumber(MOST_MS, 'Rows after which `specdex sql` cuts its answer and says so.'),
      limits.sql_rows,
    ),
  },
  'Bounds of single files and single commands.',
)

const specSchema = mapping(
  {
    scaffold_markers: v.optional(
      listOf(
        v.pipe(v.string(MARKER), v.regex(/^FORGE:[A-Z][A-Z0-9_]*$/, MARKER)),
        'Further markers that `specdex spec validate` takes for inline scaffolding.',
      ),
      [...spec.scaffold_markers],
    ),
  },
  'The spec knowledge graph.',
)

export const CUSTOM_ENTRIES = {
  kind: v.pipe(v.picklist(ARTIFACT_KINDS, KIND_OF_ARTIFACT), v.description('What its files are: `adr` or `spec`.')),
  files: v.pipe(
    listOf(insideRoot, 'Globs of its files, relative to the module: `*`, `**`, `?`, `{a,b}`.'),
    v.nonEmpty(NOT_EMPTY),
  ),
  id: v.optional(
    v.pipe(
      v.string(ID_TEMPLATE),
      v.regex(/\{(?:number|slug|folder|heading)\}/, ID_TEMPLATE),
      v.description(
        'Its ids: `{number}`, `{slug}` and `{folder}` are parts of the path, `{heading}` starts the heading.',
      ),
    ),
    '{slug}',
  ),
  status: v.optional(
    v.pipe(
      v.string(WORDS),
      v.nonEmpty(WORDS),
      v.description('Where the status stands: a front matter key, or the name of a section or a bullet.'),
    ),
    'status',
  ),
  edges: v.optional(
    v.pipe(
      v.record(v.pipe(v.string(WORDS), v.nonEmpty(WORDS)), v.picklist(EDGE_NAMES, EDGE_NAME), KEYS),
      v.description('Front matter fields and words of link lines, and the edge that each means.'),
    ),
    {},
  ),
}

const ledgerSchema = mapping(
  {
    repo: v.optional(
      v.pipe(
        v.string(REPOSITORY),
        v.regex(/^(?:[A-Za-z0-9._-]+\/[A-Za-z0-9._-]+)?$/, REPOSITORY),
        v.description('Repository whose annotations are kept, `owner/name`; empty: that of the remote `origin`.'),
      ),
      ledger.repo,
    ),
    trust: v.optional(listOf(v.picklist(ASSOCIATIONS, ASSOCIATION), 'Author associations whose annotations count.'), [
      ...ledger.trust,
    ] as (typeof ASSOCIATIONS)[number][]),
    trusted_bots: v.optional(
      listOf(v.pipe(v.string(LOGIN), v.nonEmpty(LOGIN)), 'Logins whose annotations count as well.'),
      [...ledger.trusted_bots],
    ),
    api: v.optional(
      v.pipe(
        v.string(ADDRESS),
        v.regex(/^https?:\/\/\S+$/, ADDRESS),
        v.description('Base address of the REST API; GitHub Enterprise has its own.'),
      ),
      ledger.api,
    ),
    mirror: v.optional(
      v.pipe(
        v.boolean(YES_OR_NO),
        v.description('Mirror the ledger on the branch `forge-knowledge` after each update.'),
      ),
      ledger.mirror,
    ),
  },
  'The ledger of lessons from annotations.',
)

const graphSchema = v.pipe(
  mapping(
    {
      title_max: v.optional(
        wholeNumber(1000, 'Characters of a title in diagrams, the ellipsis included.'),
        graph.title_max,
      ),
      openers: v.optional(
        listOf(v.pipe(v.string(OPENER), v.regex(/^\S{1,8}$/, OPENER)), 'Comment openers beyond the usual ones.'),
        [...graph.openers],
      ),
      sources: v.optional(
        listOf(
          v.pipe(v.string(SOURCE), v.regex(/^(?!\.{1,2}$)[^/\\\0]+$/, SOURCE)),
          'Endings or whole names of files that are source code beyond the known ones.',
        ),
        [...graph.sources],
      ),
      conventions: v.optional(
        listOf(
          v.pipe(
            v.string(CONVENTION),
            v.regex(/^[a-z0-9-]+(?::(?!\/)(?!(?:[^\0]*\/)?\.\.(?:\/|$))[^\0]+)?$/, CONVENTION),
          ),
          'Conventions as `name` or `name:folder` instead of what would be detected; empty: detect.',
        ),
        [...graph.conventions],
      ),
      custom: v.optional(
        v.pipe(
          v.record(
            v.pipe(
              v.string(CUSTOM_NAME),
              v.regex(/^[a-z0-9][a-z0-9-]*$/, CUSTOM_NAME),
              v.notValues(BUILT_IN, CUSTOM_NAME),
            ),
            mapping(CUSTOM_ENTRIES, 'One convention of your own.'),
            KEYS,
          ),
          v.description('Conventions of your own, by name.'),
        ),
        {},
      ),
    },
    'The artifact graph.',
  ),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const { conventions, custom } = dataset.value
    const known = [...BUILT_IN, ...Object.keys(custom)]
    for (const [index, entry] of conventions.entries()) {
      const [name = ''] = entry.split(':', 1)
      if (known.includes(name)) continue
      addIssue({
        message: `one of ${known.join(', ')}`,
        input: entry,
        path: [
          { type: 'object', origin: 'value', input: dataset.value, key: 'conventions', value: conventions },
          { type: 'array', origin: 'value', input: conventions, key: index, value: entry },
        ],
      })
    }
  }),
)

/** Checks a parsed configuration and fills in the defaults. */
export const CONFIG_SCHEMA: v.GenericSchema<unknown, Config> = mapping(
  {
    roots: v.optional(
      listOf(insideRoot, 'Folders (globs allowed) in which documents are looked for, relative to the root.'),
      [...DEFAULT_CONFIG.roots],
    ),
    include: v.optional(
      listOf(insideRoot, 'Globs of documents, relative to the root; empty: every `*.md` below `roots`.'),
      [...DEFAULT_CONFIG.include],
    ),
    ignore: v.optional(
      listOf(
        v.pipe(v.string('a glob'), v.nonEmpty('a glob')),
        'Globs of documents to leave out. The spec corpora are exempt.',
      ),
      [...DEFAULT_CONFIG.ignore],
    ),
    families: v.optional(
      v.pipe(
        listOf(v.picklist(FAMILIES, FAMILY), FAMILIES_ARE),
        v.nonEmpty(NOT_EMPTY),
        v.check((list) => new Set(list).size === list.length, UNIQUE),
      ),
      [...DEFAULT_CONFIG.families],
    ),
    compat: v.optional(
      v.pipe(
        v.picklist(MODES, MODE),
        v.description('How the spec graph is read: `forgedock-1.7` reproduces the public tool to the byte.'),
      ),
      DEFAULT_CONFIG.compat,
    ),
    limits: v.optional(limitsSchema, {}),
    spec: v.optional(specSchema, {}),
    graph: v.optional(graphSchema, {}),
    ledger: v.optional(ledgerSchema, {}),
  },
  'Configuration of Specdex. Every key is optional.',
)
