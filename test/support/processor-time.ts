/**
 * Returns the milliseconds of processor time that this process has used. Unlike elapsed time, it does not depend on
 * other processes.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
