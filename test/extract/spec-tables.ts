// The tables of the spec graph contract as data: text of a command file, and the edges (`id @line`) or nodes that it
// gives under the compat mode. Numbers are the rows of the contract's own tables. An empty list: nothing of any type.

export type Row = readonly [row: number, text: string, found: readonly string[]]

/** Sheet spec-graph §4. */
export const NODE_ROWS: readonly Row[] = [
  [1, 'FORGE:ALPHA', ['ann:FORGE:ALPHA']],
  [2, 'FORGE:ALPHA:DONE', ['ann:FORGE:ALPHA']],
  [3, 'FORGE:Mixed', ['ann:FORGE:M']],
  [4, 'FORGE:A1_b', ['ann:FORGE:A1_']],
  [5, 'xFORGE:BETA', ['ann:FORGE:BETA']],
  [6, 'FORGE:FORGE:X', ['ann:FORGE:FORGE']],
  [7, 'FORGE:*', []],
  [8, 'FORGE:{X}', []],
  [9, 'FORGE:_X', []],
  [10, 'FORGE:9', []],
  [11, 'forge:alpha', []],
  [12, 'FORGE: ALPHA', []],
  [13, 'FORGE:ALPHA-TWO', ['ann:FORGE:ALPHA']],
  [14, 'FORGE:ÉA', []],
  [15, 'workflow:ready', ['label:workflow:ready']],
  [16, 'workflow:in_review', ['label:workflow:in']],
  [17, 'workflow:Ready', []],
  [18, 'workflow:9x', []],
  [19, 'workflow:a--', ['label:workflow:a--']],
  [20, 'workflow:a.b', ['label:workflow:a']],
  [21, 'preworkflow:x', ['label:workflow:x']],
  [22, 'workflow: a', []],
  [23, 'workflow:a1/b', ['label:workflow:a1']],
  [24, 'WORKFLOW:a', []],
  [25, 'workflow:café', ['label:workflow:caf']],
]

/** Sheet spec-graph §5.1. */
export const WRITES_ROWS: readonly Row[] = [
  [1, 'gh issue comment 7 --body "<!-- FORGE:ALPHA -->"', ['ann:FORGE:ALPHA @1']],
  [2, "gh pr comment 7 --body '<!--FORGE:ALPHA-->'", ['ann:FORGE:ALPHA @1']], // no padding needed inside the comment
  [3, 'gh\tpr   comment 7 --repo o/r --body "hi <!-- FORGE:ALPHA --> bye"', ['ann:FORGE:ALPHA @1']],
  [4, 'gh issue comment 7 --body="<!-- FORGE:ALPHA -->"', ['ann:FORGE:ALPHA @1']],
  [
    5,
    'gh issue comment 7 --body "<!-- FORGE:ALPHA --> <!-- FORGE:BETA -->"',
    ['ann:FORGE:ALPHA @1', 'ann:FORGE:BETA @1'],
  ],
  [6, 'gh issue comment 7 --body "\n<!-- FORGE:ALPHA -->', ['ann:FORGE:ALPHA @1']], // next line counts; evidence is the gh line
  [7, 'gh issue comment 7 --body "\nintro\n<!-- FORGE:ALPHA -->', []], // two lines down: out of window
  [8, 'gh issue comment 7 \\\n  --body "<!-- FORGE:ALPHA -->"', []], // gh and --body must share a line
  [9, 'gh issue comment 7 --body "$A"\ngh pr comment 8 --body "<!-- FORGE:ALPHA -->"', ['ann:FORGE:ALPHA @1']], // earlier gh line steals the evidence
  [10, 'gh issue comment 7 --body "$A"\n<!-- FORGE:ALPHA --> is a doc note', ['ann:FORGE:ALPHA @1']], // next line counts even if outside the quotes
  [11, 'gh issue comment 7 --body "<!--\nFORGE:ALPHA -->"', ['ann:FORGE:ALPHA @1']], // comment may straddle the line break
  [12, 'gh issue comment 7 --body "<!-- FORGE:ALPHA: one\ntwo -->"', ['ann:FORGE:ALPHA @1']], // value may straddle the line break
  [13, 'gh issue comment 7 --body "\r\n<!-- FORGE:ALPHA -->"\r', ['ann:FORGE:ALPHA @1']], // CRLF file
  [14, 'gh issue comment 7 --body "$T" # <!-- FORGE:ALPHA -->', ['ann:FORGE:ALPHA @1']], // quotes are not honoured
  [15, 'gh issue comment 7 --body-file out.md <!-- FORGE:ALPHA -->', ['ann:FORGE:ALPHA @1']], // --body is a plain substring
  [16, '--body "<!-- FORGE:ALPHA -->" goes to gh issue comment 7 --body "y"', ['ann:FORGE:ALPHA @1']], // window starts at FIRST --body on the line
  [17, '<!-- FORGE:ALPHA --> gh issue comment 7 --body "y"', []], // marker before --body
  [18, 'gh issue comment 7 --body "<!-- FORGE:ALPHA: 42 -->"', ['ann:FORGE:ALPHA @1']], // value-carrying
  [19, 'gh issue comment 7 --body "<!-- FORGE:ALPHA : v -->"', ['ann:FORGE:ALPHA @1']], // blank before the colon
  [20, 'gh issue comment 7 --body "<!-- FORGE:ALPHA: -->"', ['ann:FORGE:ALPHA @1']], // empty value
  [21, 'gh issue comment 7 --body "<!-- FORGE:ALPHA: p: q -->"', ['ann:FORGE:ALPHA @1']],
  [22, 'gh issue comment 7 --body "<!-- FORGE:ALPHA:-->"', []], // colon without blank
  [23, 'gh issue comment 7 --body "<!-- FORGE:ALPHA:DONE -->"', []], // sentinel suffix
  [24, 'gh issue comment 7 --body "<!-- FORGE:ALPHA done -->"', []], // extra word without colon
  [25, 'gh issue comment 7 --body "<!-- FORGE:ALPHA: a > b -->"', []], // > inside the value
  [26, 'gh issue comment 7 --body "<!-- FORGE:ALPHA: x <!-- FORGE:BETA -->"', ['ann:FORGE:ALPHA @1']], // second marker swallowed as value of the first
  [27, 'gh issue comment 7 --body "<!-- FORGE:ALPHA --->"', []], // three dashes, no value
  [28, 'gh issue comment 7 --body "<!-- FORGE:ALPHA: v --->"', ['ann:FORGE:ALPHA @1']], // three dashes, with value
  [29, 'gh issue comment 7 --body "<!--- FORGE:ALPHA -->"', []], // three opening dashes
  [30, 'gh issue comment 7 --body "<!-- see FORGE:ALPHA -->"', []],
  [31, 'gh issue comment 7 --body "<!-- FORGE:Alpha -->"', []], // lower case in name
  [32, 'gh issue comment 7 --body "<!-- FORGE:9X -->"', []],
  [33, 'gh issue comment 7 --body "<!-- FORGE:A_9 -->"', ['ann:FORGE:A_9 @1']],
  [34, 'gh issue comment 7 --body "<!--\u00a0FORGE:ALPHA -->"', ['ann:FORGE:ALPHA @1']], // no-break space is white space
  [35, 'gh issue comment 7 --body "FORGE:ALPHA"', []], // no comment delimiters
  [36, 'gh issue comment 7 -b "<!-- FORGE:ALPHA -->"', []],
  [37, 'gh issue create --body "<!-- FORGE:ALPHA -->"', []],
  [38, 'gh pr review 7 --body "<!-- FORGE:ALPHA -->"', []],
  [39, 'gh issue 7 comment --body "<!-- FORGE:ALPHA -->"', []],
  [40, 'GH ISSUE COMMENT 7 --body "<!-- FORGE:ALPHA -->"', []],
  [41, 'sigh issue comments --body "<!-- FORGE:ALPHA -->"', ['ann:FORGE:ALPHA @1']], // no word boundaries around gh / comment
  [42, 'gh issue comment 7 --body "<!-- FORGE:ALPHA|BETA -->"', []],
  [43, 'gh issue comment 7 --body "<!-- FORGE:ALPHA:\tv -->"', ['ann:FORGE:ALPHA @1']],
]

/** Sheet spec-graph §5.2. */
export const READS_ROWS: readonly Row[] = [
  [1, 'jq \'select(.body | contains("FORGE:ALPHA"))\'', ['ann:FORGE:ALPHA @1']],
  [2, "contains('FORGE:ALPHA')", ['ann:FORGE:ALPHA @1']],
  [3, 'contains(  "x y <!-- FORGE:ALPHA:DONE")', ['ann:FORGE:ALPHA @1']], // anything but quotes may precede; suffix ignored
  [4, 'test("<!-- FORGE:ALPHA: [0-9]+")', ['ann:FORGE:ALPHA @1']],
  [5, 'capture("FORGE:ALPHA: (?<v>.*)")', ['ann:FORGE:ALPHA @1']],
  [6, 'contains("FORGE:ALPHA") or contains("FORGE:BETA")', ['ann:FORGE:ALPHA @1', 'ann:FORGE:BETA @1']],
  [7, 'test("FORGE:ALPHA|FORGE:BETA")', ['ann:FORGE:ALPHA @1']], // only the first marker per call
  [8, 'contains("FORGE:ALPHA', ['ann:FORGE:ALPHA @1']], // closing quote not needed
  [9, 're.test("FORGE:ALPHA") / a-test("FORGE:ALPHA")', ['ann:FORGE:ALPHA @1']],
  [10, 'contains("FORGE:Alpha")', ['ann:FORGE:A @1']], // name stops at first lower-case letter
  [11, 'contains("FORGE:alpha")', []],
  [12, 'contains("XFORGE:ALPHA")', ['ann:FORGE:ALPHA @1']], // no boundary needed before FORGE
  [13, 'contains(\\"FORGE:ALPHA\\")', []], // backslash-escaped quote
  [14, 'contains("it\'s FORGE:ALPHA")', []], // either quote kind interrupts
  [15, 'contains ("FORGE:ALPHA")', []],
  [16, 'contains($m, "FORGE:ALPHA")', []],
  [17, 'Contains("FORGE:ALPHA")', []],
  [18, 'not_contains("FORGE:ALPHA")', []],
  [19, 'latest("FORGE:ALPHA")', []],
  [20, 'startswith("FORGE:ALPHA")', []],
  [21, 'match("FORGE:ALPHA") index("FORGE:ALPHA")', []],
  [22, 'test(/FORGE:ALPHA/)', []],
  [23, 'grep "FORGE:ALPHA"', []],
  [24, 'Read the FORGE:ALPHA comment', []], // CONTRADICTS the seed
  [25, 'this phase reads FORGE:ALPHA', []], // CONTRADICTS the seed
  [26, 'Re-read the FORGE:ALPHA comment', ['ann:FORGE:ALPHA @1']],
  [27, 'reread FORGE:ALPHA', ['ann:FORGE:ALPHA @1']],
  [28, 'it re-reads FORGE:ALPHA', ['ann:FORGE:ALPHA @1']],
  [29, 'RE-READS FORGE:ALPHA:DONE', ['ann:FORGE:ALPHA @1']],
  [30, 're-read FORGE:ALPHA and FORGE:BETA', ['ann:FORGE:ALPHA @1']], // one marker per verb
  [31, 're-read FORGE:ALPHA then re-read FORGE:BETA', ['ann:FORGE:ALPHA @1', 'ann:FORGE:BETA @1']],
  [32, 're-read this, re-read FORGE:ALPHA', ['ann:FORGE:ALPHA @1']],
  [33, 'pre-re-read FORGE:ALPHA', ['ann:FORGE:ALPHA @1']],
  [34, 'pre-read FORGE:ALPHA', []],
  [35, 'pre-reread FORGE:ALPHA', ['ann:FORGE:ALPHA @1']],
  [36, 'prereread FORGE:ALPHA', []],
  [37, 're-reading FORGE:ALPHA', []],
  [38, 're read FORGE:ALPHA', []],
  [39, 're\u2011read FORGE:ALPHA', []], // non-breaking hyphen
  [40, 'reread_FORGE:ALPHA', []],
  [41, 'reread:FORGE:ALPHA', ['ann:FORGE:ALPHA @1']],
  [42, 're-read the file. FORGE:ALPHA', []], // full stop in between
  [43, 're-read v1.2 of FORGE:ALPHA', []], // any full stop
  [44, 're-read the\nFORGE:ALPHA', []],
  [45, 'FORGE:ALPHA must be re-read', []],
  [46, 're-read forge:alpha', ['ann:forge:alpha @1']], // edge to an id that has NO node
  [47, 're-read FORGE:Alpha_Two', ['ann:FORGE:Alpha_Two @1']], // mixed case kept verbatim; node is FORGE:A
  [48, 're-read FORGE:{ALPHA} FORGE:BETA', ['ann:FORGE:BETA @1']],
  [49, 're-read FORGE:FORGE:ALPHA', ['ann:FORGE:FORGE @1']],
  [50, 're-read FORGE: ALPHA', []],
  [51, 're-read\r FORGE:ALPHA', ['ann:FORGE:ALPHA @1']],
  [52, 're-read-FORGE:ALPHA', ['ann:FORGE:ALPHA @1']],
  [53, 're-readFORGE:ALPHA', []],
  [54, 'contains("FORGE:FORGE:ALPHA")', ['ann:FORGE:FORGE @1']],
]

/** Sheet spec-graph §5.3. */
export const TRANSITIONS_ROWS: readonly Row[] = [
  [1, 'gh issue edit 7 --add-label "workflow:ready"', ['label:workflow:ready @1']],
  [2, "--add-label 'workflow:ready'", ['label:workflow:ready @1']],
  [3, '--add-label "workflow:one,workflow:two"', ['label:workflow:one @1', 'label:workflow:two @1']],
  [4, '--add-label "kind:bug, workflow:one ,p:1"', ['label:workflow:one @1']],
  [5, '--add-label "workflow:one" --add-label "workflow:two"', ['label:workflow:one @1', 'label:workflow:two @1']],
  [6, '--remove-label "workflow:one" --add-label "workflow:two"', ['label:workflow:two @1']],
  [7, '--add-label\t\t"workflow:ready"', ['label:workflow:ready @1']],
  [8, '---add-label "my-workflow:ready"', ['label:workflow:ready @1']], // no boundaries on the left
  [9, '--add-label "workflow:ready\'', ['label:workflow:ready @1']], // quote kinds need not agree
  [10, '--add-label "workflow:in_review"', ['label:workflow:in @1']], // truncated at _
  [11, '--add-label "workflow:done."', ['label:workflow:done @1']],
  [12, '--add-label "workflow:done-"', ['label:workflow:done- @1']],
  [13, '--add-label "workflow:a:b"', ['label:workflow:a @1']],
  [14, '--add-label "workflow:9x,workflow:ok"', ['label:workflow:ok @1']],
  [15, '--add-label "workflow:9x"', []],
  [16, '--add-label "workflow:-x"', []],
  [17, '--add-label "workflow:Ready"', []],
  [18, '--add-label "workflow:Ready,workflow:ok"', ['label:workflow:ok @1']],
  [19, '--add-label "workflow:readyX"', ['label:workflow:ready @1']],
  [20, '--add-label "Workflow:ready"', []],
  [21, '--add-label workflow:ready', []], // unquoted
  [22, '--add-label="workflow:ready"', []], // equals sign
  [23, '--add-label \\"workflow:ready\\"', []], // escaped quotes
  [24, '--add-label "workflow:ready', []], // unclosed
  [25, '--add-label "workflow:$STATE"', []],
  [26, '--add-label "$L" "workflow:ready"', []],
  [27, '--add-label "x" workflow:ready "y"', []],
  [28, '--add-label \\\n"workflow:ready"', []],
  [29, '--add-labels "workflow:ready"', []],
  [30, '--label "workflow:ready"', []],
  [31, '--remove-label "workflow:ready"', []],
  [32, 'gh label create "workflow:ready"', []],
  [33, '--ADD-LABEL "workflow:ready"', []],
  [34, '--add-label "workflow:café"', ['label:workflow:caf @1']],
  [35, '--add-label "x \'workflow:ready\'"', []], // a quote of the other kind ends the string too
  [36, '--add-label\u00a0"workflow:ready"', ['label:workflow:ready @1']], // no-break space
]

/** Sheet spec-graph §5.4. */
export const SKILL_ROWS: readonly Row[] = [
  [1, 'Skill("known")', ['cmd:known @1']],
  [2, 'Skill(skill="known")', ['cmd:known @1']],
  [3, 'Skill(skill: "known")', ['cmd:known @1']],
  [4, "Skill(  skill  =  'known'  )", ['cmd:known @1']],
  [5, 'Skill(skill="known:part", args="x")', ['cmd:known:part @1']],
  [6, 'Skill("known/part")', ['cmd:known:part @1']],
  [7, 'Skill("known/part:deep")', ['cmd:known:part:deep @1']], // mixed delimiters
  [8, 'Skill("known\') and Skill(\'known/part"', ['cmd:known @1', 'cmd:known:part @1']], // quotes need not agree, no ) needed
  [9, 'MySkill("known")', ['cmd:known @1']], // no boundary on the left
  [10, 'Skill("9lives")', ['cmd:9lives @1']],
  [11, 'Skill("SELF")', ['cmd:SELF @1']], // self reference (file is named SELF.md here)
  [12, 'Skill("ghost")', []],
  [13, 'Skill("Known")', []],
  [14, 'Skill("known.md")', []],
  [15, 'Skill("known ")', []],
  [16, 'Skill(" known")', []],
  [17, 'Skill("/known")', []],
  [18, 'Skill("known/")', []],
  [19, 'Skill("known//part")', []],
  [20, 'Skill("_priv")', []], // _priv.md exists
  [21, 'Skill("café")', []], // café.md exists
  [22, 'skill("known")', []],
  [23, 'Skill ("known")', []],
  [24, 'Skill(known)', []],
  [25, 'Skill(skill "known")', []],
  [26, 'Skill(Skill="known")', []],
  [27, 'Skill(skill=="known")', []],
  [28, 'Skill(name="known")', []],
  [29, 'Skill(args="x", skill="known")', []],
  [30, 'Skill(\\"known\\")', []],
  [31, 'Skill(`known`)', []],
  [32, 'Skill(\n"known")', []],
  [33, 'Skill(skill\u00a0=\u00a0"known")', ['cmd:known @1']], // no-break spaces
  [34, 'invoke /known or known:part', []],
]

/** Sheet spec-graph §5.6. */
export const INVOKES_ROWS: readonly Row[] = [
  [1, 'bash scripts/tool.sh --x', ['script:tool.sh @1']],
  [2, 'see tool.sh, sub-tool.sh.', ['script:sub-tool.sh @1', 'script:tool.sh @1']],
  [3, 'other/place/tool.sh', ['script:tool.sh @1']], // path is irrelevant
  [4, 'never run tool.sh', ['script:tool.sh @1']], // negation is irrelevant
  [5, '${D}/tool.sh and $tool.sh', ['script:tool.sh @1']],
  [6, 'tool.sh.bak', ['script:tool.sh @1']],
  [7, 'tool.sh-old', ['script:tool.sh @1']],
  [8, 'tool.sh/x', ['script:tool.sh @1']],
  [9, '--tool.sh', ['script:tool.sh @1']], // leading hyphens are shed
  [10, '.tool.sh', ['script:tool.sh @1']],
  [11, 'x.tool.sh', ['script:tool.sh @1']], // token starts after the dot
  [12, 'dotted.name.sh', ['script:name.sh @1']], // dotted.name.sh AND name.sh exist
  [13, 'deep.sh', ['script:deep.sh @1']], // lives in scripts/nested/
  [14, 'étool.sh', ['script:tool.sh @1']], // non-ASCII letter is a boundary
  [15, 'über.sh', ['script:ber.sh @1']], // über.sh and ber.sh exist
  [16, 'mytool.sh', []],
  [17, 'my-tool.sh', []],
  [18, '_tool.sh', []],
  [19, 'tool.shx', []],
  [20, 'tool.sh_v2', []],
  [21, 'tool.sh2', []],
  [22, 'tool.SH / Tool.sh', []],
  [23, 'tool .sh', []],
  [24, 'tool.mjs', []],
  [25, 'missing.sh', []],
  [26, 'twice.sh.sh', []], // twice.sh.sh exists, twice.sh does not
  [27, '-lead.sh x-lead.sh', []], // -lead.sh exists as a file name
  [28, 'tool.sh-sub-tool.sh', ['script:tool.sh @1']], // second token is "-sub-tool.sh", which is no script
  [29, 'tool.sh-lead.sh', ['script:-lead.sh @1', 'script:tool.sh @1']], // here the hyphen sits at a word edge, so the token IS "-lead.sh"
]

/** Sheet spec-graph §5.7. */
export const REQUIRES_ROWS: readonly Row[] = [
  [1, 'Read devdocs/guide.md first', ['devdoc:devdocs/guide.md @1']],
  [2, 'devdocs/guide.md is REQUIRED', ['devdoc:devdocs/guide.md @1']],
  [3, 'you MUST know devdocs/guide.md', ['devdoc:devdocs/guide.md @1']],
  [4, 'before coding, open devdocs/guide.md', ['devdoc:devdocs/guide.md @1']],
  [
    5,
    'must see devdocs/guide.md and devdocs/project/arch.md',
    ['devdoc:devdocs/guide.md @1', 'devdoc:devdocs/project/arch.md @1'],
  ],
  [6, 'Do not read devdocs/guide.md', ['devdoc:devdocs/guide.md @1']], // negation irrelevant
  [7, 'Re-read devdocs/guide.md', ['devdoc:devdocs/guide.md @1']],
  [8, 'read-only: devdocs/guide.md', ['devdoc:devdocs/guide.md @1']],
  [
    9,
    'Read ./devdocs/guide.md or mydevdocs/project/arch.md',
    ['devdoc:devdocs/guide.md @1', 'devdoc:devdocs/project/arch.md @1'],
  ], // no left boundary
  [10, 'Read devdocs/guide.mdx', ['devdoc:devdocs/guide.md @1']], // no right boundary
  [11, 'See devdocs/must-know.md', ['devdoc:devdocs/must-know.md @1']], // the path itself holds the verb
  [12, 'See devdocs/read/plan.md', ['devdoc:devdocs/read/plan.md @1']],
  [13, 'See devdocs/guide.md', []],
  [14, 'Requires devdocs/guide.md', []],
  [15, 'Reads devdocs/guide.md', []],
  [16, 'Reading devdocs/guide.md', []],
  [17, 'already in devdocs/guide.md', []],
  [18, 'beforehand: devdocs/guide.md', []],
  [19, 'must_read devdocs/guide.md', []],
  [20, 'require devdocs/guide.md', []],
  [21, 'Read:\ndevdocs/guide.md', []],
  [22, 'Read devdocs/missing.md', []],
  [23, 'Read devdocs//guide.md', []],
  [24, 'Read devdocs/v1.2.md', []], // v1.2.md exists; dots break the token
  [25, 'Read devdocs/café.md', []], // café.md exists
  [26, 'Read devdocs/two words.md', []], // file exists
  [27, 'Read docs/guide.md', []],
  [28, 'Read DEVDOCS/guide.md', []],
  [29, 'Read devdocs/guide.MD', []],
  [30, 'Read devdocs/project/', []],
  [31, 'Read devdocs/devdocs/guide.md', []], // leftmost start wins; devdocs/devdocs/guide.md does not exist
  [32, 'must.devdocs/guide.md', ['devdoc:devdocs/guide.md @1']], // a full stop is a word edge
]
