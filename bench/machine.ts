import os from 'node:os';

/** What a reader needs to judge the numbers. Never the name of the machine or its owner. */
export interface Machine {
  readonly cores: number;
  readonly memoryGb: number;
  readonly node: string;
  readonly platform: string;
  readonly description: string;
}

export function describeMachine(): Machine {
  const cores = os.availableParallelism();
  const memoryGb = Math.round(os.totalmem() / 1024 ** 3);
  const node = process.version;
  const platform = `${os.platform()} ${os.arch()}`;
  const description = `${cores} cores, ${memoryGb} GB of memory, ${platform}, Node.js ${node}`;
  return { cores, memoryGb, node, platform, description };
}
