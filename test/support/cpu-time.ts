/** CPU time of this process since `started`, in milliseconds. Unlike elapsed time it does not grow when the machine is busy. */
export const cpuMsSince = (started: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000;
};
