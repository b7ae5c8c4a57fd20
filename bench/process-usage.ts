import { readFile } from 'node:fs/promises';

/** Linux counts the CPU time of a process in hundredths of a second. */
const TICK_MS = 10;
/** Positions after the process name, which is in parentheses and may contain spaces. */
const [USER_TICKS, SYSTEM_TICKS] = [11, 12];

/** The CPU time of all threads of a process, since its start. */
export async function cpuMsOf({ pid }: { readonly pid: number }): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) * TICK_MS;
}

/** The resident memory of a process. */
export async function residentMbOf({ pid }: { readonly pid: number }): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kilobytes === undefined) throw new Error(`process ${pid} has ended`);
  return Number(kilobytes) / 1_024;
}
