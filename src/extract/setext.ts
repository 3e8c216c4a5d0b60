// Titles that are underlined with `=`, told as if they had a mark in front, so that the readers of headings need no second
// form. Lines stay as many as they were. Surprise: it looks at no fence and no comment, because what it changes in
// there is passed over by the readers all the same.

/** Starts something that is no paragraph: a heading, quotation, list item, table, fence or comment. */
const NO_PARAGRAPH = /^ {0,3}(?:#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|\d{1,9}[.)](?:\s|$)|\||`{3}|~{3}|<!--|=+\s*$)/

/** The lines with `Title` over `=====` as `# Title` and an empty line. Titles of several lines are left as they are. */
export function withAtxTitles(lines: readonly string[]): readonly string[] {
  const found: string[] = []
  let changed = false
  for (const line of lines) {
    const title = found.at(-1) ?? ''
    const isTitle = /^ {0,3}=+\s*$/.test(line) && /^ {0,3}\S/.test(title) && !NO_PARAGRAPH.test(title)
    const above = found.at(-2)?.trim() ?? ''
    if (isTitle && (above === '' || NO_PARAGRAPH.test(found.at(-2) ?? ''))) {
      changed = true
      found[found.length - 1] = `# ${title.trim()}`
      found.push('')
    } else found.push(line)
  }
  return changed ? found : lines
}
