// How much processor time something takes: what a bound on speed is about, on a machine that others use too.

/** Milliseconds of processor time of this process while `fn` runs. */
export function workOf(fn: () => unknown): number {
  const started = process.cpuUsage()
  fn()
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1000
}
