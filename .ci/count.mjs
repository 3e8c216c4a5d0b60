// Reads vitest's JSON report and prints `PASSED FAILED`. A file that could not be loaded has no failed test of its
// own and counts as one failure, as does a run that ended badly although no test failed. No test at all is a failure.

import { readFileSync } from 'node:fs'

const [report, status] = process.argv.slice(2)
const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
const broken = testResults.filter(
  (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
).length
let failed = numFailedTests + broken
if (failed === 0 && (status !== '0' || numPassedTests === 0)) failed = 1
console.log(`${numPassedTests} ${failed}`)
