// A unified diff of two texts that `git apply` and `patch` take. Pure; made for small changes in small blocks, so it
// compares only what lies between the common start and the common end. Surprise: lines keep their ends (CR LF too), as
// a patch must.

const CONTEXT = 3
/** Cells of the comparison table at most; what is larger is shown as one replacement. */
const MOST_CELLS = 4_000_000

interface Step {
  readonly mark: ' ' | '-' | '+'
  readonly line: string
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/)
}

/** Length of the longest common subsequence of the ends, by start positions. */
function lengths(a: readonly string[], b: readonly string[]): Uint32Array {
  const width = b.length + 1
  const table = new Uint32Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const at = i * width + j
      const longer = Math.max(table[at + width] ?? 0, table[at + 1] ?? 0)
      table[at] = a[i] === b[j] ? (table[at + width + 1] ?? 0) + 1 : longer
    }
  }
  return table
}

function middle(a: readonly string[], b: readonly string[]): Step[] {
  const removed = (line: string): Step => ({ mark: '-', line })
  const added = (line: string): Step => ({ mark: '+', line })
  if ((a.length + 1) * (b.length + 1) > MOST_CELLS) return [...a.map(removed), ...b.map(added)]
  const table = lengths(a, b)
  const width = b.length + 1
  const steps: Step[] = []
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    const [x = '', y = ''] = [a[i], b[j]]
    if (x === y) {
      steps.push({ mark: ' ', line: x })
      i++
      j++
    } else if ((table[(i + 1) * width + j] ?? 0) >= (table[i * width + j + 1] ?? 0)) {
      steps.push(removed(x))
      i++
    } else {
      steps.push(added(y))
      j++
    }
  }
  return [...steps, ...a.slice(i).map(removed), ...b.slice(j).map(added)]
}

/** A path in a header: quoted as git does where it would be misread, with a tab behind one that holds a blank. */
function headerPath(name: string): string {
  if (/["\\\u0000-\u001f\u007f]/.test(name)) {
    const escaped = name.replace(/["\\\u0000-\u001f\u007f]/g, (character) => {
      if (character === '"' || character === '\\') return `\\${character}`
      return `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`
    })
    return `"${escaped}"`
  }
  return name.includes(' ') ? `${name}\t` : name
}

function range(start: number, count: number): string {
  // An empty range names the line before it.
  return count === 1 ? `${start}` : `${count === 0 ? start - 1 : start},${count}`
}

/** The diff with three lines of context, headed by `a/path` and `b/path`; empty where the texts are equal. */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return ''
  const a = linesOf(before)
  const b = linesOf(after)
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head++
  let tail = 0
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  const keep = (line: string): Step => ({ mark: ' ', line })
  const from = Math.max(0, head - CONTEXT)
  const steps = [
    ...a.slice(from, head).map(keep),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail, a.length - tail + CONTEXT).map(keep),
  ]
  let text = `--- ${headerPath(`a/${path}`)}\n+++ ${headerPath(`b/${path}`)}\n`
  let [oldLine, newLine] = [from + 1, from + 1]
  for (const hunk of hunksOf(steps)) {
    for (const step of steps.slice(hunk.skipped, hunk.start)) {
      if (step.mark !== '+') oldLine++
      if (step.mark !== '-') newLine++
    }
    const part = steps.slice(hunk.start, hunk.end)
    const olds = part.filter(({ mark }) => mark !== '+').length
    const news = part.filter(({ mark }) => mark !== '-').length
    text += `@@ -${range(oldLine, olds)} +${range(newLine, news)} @@\n`
    for (const { mark, line } of part) {
      text += line.endsWith('\n') ? `${mark}${line}` : `${mark}${line}\n\\ No newline at end of file\n`
    }
    oldLine += olds
    newLine += news
  }
  return text
}

/** Where each hunk starts and ends; `skipped`: where the lines between it and the one before start. */
function hunksOf(steps: readonly Step[]): { readonly skipped: number; readonly start: number; readonly end: number }[] {
  const hunks: { skipped: number; start: number; end: number }[] = []
  steps.forEach(({ mark }, at) => {
    if (mark === ' ') return
    const last = hunks.at(-1)
    const start = Math.max(0, at - CONTEXT)
    const end = Math.min(steps.length, at + 1 + CONTEXT)
    if (last !== undefined && start <= last.end) last.end = end
    else hunks.push({ skipped: last?.end ?? 0, start, end })
  })
  return hunks
}
