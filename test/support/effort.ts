// How much work a test with an adjustable size does. `npm test` is short; `npm run test:long` runs every test file
// that imports this module once more at full size (test/vitest.long.config.ts finds them by that import).

/** True in the long run. */
const LONG: boolean = process.env.SPECDEX_LONG === '1'

/** `short` in `npm test`, `long` in `npm run test:long`. */
export function effort(short: number, long: number): number {
  return LONG ? long : short
}
