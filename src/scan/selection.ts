// Which names a family of sources wants, judged by name alone: what listing by git and listing by walking have in common.
// Families whose names come from elsewhere (conventions, source languages) hand theirs in; documents.ts makes the one of
// the documents. The spec corpora are no selection: they have a walk of their own (spec-tree.ts).

import { dirOfKey } from '../model/source-key.ts'

export interface Selection {
  /** Folders to look below, relative to the root; the empty text is the root itself. */
  readonly roots: readonly string[]
  /** Endings of its files, lower case, with dot. */
  readonly endings: readonly string[]
  /** Files with other endings, or with none, may be wanted too. */
  readonly others: boolean
  /** False where none of its files can lie in the folder or below it. */
  readonly enters: (dir: string) => boolean
  /** True where its files may lie directly in the folder. */
  readonly folder: (dir: string) => boolean
  /** Whether a file with one of the endings in an accepted folder is wanted; null where all are. */
  readonly file: ((key: string) => boolean) | null
  /** A link inside the root is listed by its name, for somebody to say that it is not followed; else it is left out. */
  readonly tellsLinks?: boolean
}

/** True where the ending alone does not rule the name out. */
export function mayBeWanted({ endings, others }: Selection, name: string): boolean {
  return others || endings.some((ending) => name.endsWith(ending))
}

/** Pathspecs of git, relative to the root, in which `*` matches slashes too. */
export function pathspecs({ roots, endings, others }: Selection): string[] {
  return roots.flatMap((base) => {
    const before = base === '' ? '' : `${literal(base)}/`
    return others ? [`${before}*`] : endings.map((ending) => `${before}*${ending}`)
  })
}

/** A folder name as a pathspec: its own special characters taken literally. */
function literal(folder: string): string {
  const escaped = folder.replace(/[*?[\]\\]/g, '\\$&')
  return escaped.startsWith(':') ? `./${escaped}` : escaped
}

/**
 * As wants(), of a tracked path that differs on disk: that is not wanted which globs do not match, and they are matched
 * on disk, where it may be gone.
 */
export function mayHaveBeenWanted(selection: Selection, raw: string): boolean {
  return /[\x80-\xff]/.test(raw) || (mayBeWanted(selection, raw) && selection.folder(dirOfKey(raw)))
}

/**
 * Whether a raw path (one latin1 character per byte) is of interest. Paths with other characters than ASCII always are:
 * who lists them decides, and says so where they are no UTF-8.
 */
export function wants(selection: Selection, raw: string): boolean {
  if (/[\x80-\xff]/.test(raw)) return true
  if (raw.endsWith('/') || !mayBeWanted(selection, raw)) return false
  return selection.folder(dirOfKey(raw)) && (selection.file === null || selection.file(raw))
}
