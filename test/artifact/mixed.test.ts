// A repository that keeps the seed's own artifacts beside another convention: each follows its own rules.

import { expect, test } from 'vitest'
import { runHere } from '../support/run-here.ts'
import { tempTree } from '../support/temp.ts'

test('an unknown id is an error in a strict artifact, and a warning in a lenient one beside it', async () => {
  const root = tempTree(
    {
      'docs/adrs/ADR-0001-bake-at-night.md': '---\ngoverns: [SPEC-0404]\n---\n# ADR-0001: Bake at night\n',
      'specs/001-oven/spec.md': '# Feature Specification: Oven\n\n**Status**: Draft\n\nDepends on: SPEC-0405\n',
      'openspec/project.md': '# Bakery\n',
      'openspec/specs/dough/spec.md': '# Dough Specification\n\nSupersedes ADR-0406.\n',
      'openspec/specs/dough/check.sh': '#!/bin/sh\n',
    },
    'mixed',
  )
  const { code, stdout } = await runHere(['graph', 'validate', '--json'], { cwd: root })
  const { diagnostics } = (JSON.parse(stdout) as { results: { diagnostics: Record<string, unknown>[] } }).results
  expect(code).toBe(1)
  expect(diagnostics.map(({ severity, code, target_id }) => [severity, code, target_id])).toEqual([
    ['error', 'unresolved-id', 'SPEC-0404'],
    ['warning', 'unresolved-reference', 'SPEC-0405'],
    ['warning', 'unresolved-reference', 'ADR-0406'],
  ])
  // What lies among the artifacts of a convention is no source code.
  const orphans = await runHere(['graph', 'orphans', '--json', '--allow-invalid'], { cwd: root })
  expect(JSON.parse(orphans.stdout)).toMatchObject({ results: { code_files_without_governing: [] } })
})
