'use strict';

/**
 * Runs one command and ends it when the process that asked for it is gone, however that one died: a
 * closed IPC channel is the only sign of life that even SIGKILL cannot forget to take away.
 * Plain JavaScript, outside src, because it is started as a file of its own both from the compiled
 * program and from tests that run the sources. Started by src/temporal/dev-server/supervise.ts, never by a person.
 */
const { spawn } = require('node:child_process');

// What the parts write is orders, papers and Temporal's database: for their own user only.
process.umask(0o077);

/** Enough for a clean end after SIGTERM, short enough that nobody finds an orphan. */
const ORPHAN_GRACE_MS = 700;

let child;

/** The command leads its own process group, so that what it started ends with it. */
function signalGroup(signal) {
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

function report(message, then = () => {}) {
  if (process.connected) process.send(message, then);
  else then();
}

function start({ command, args, cwd, env }) {
  child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
  child.once('spawn', () => report({ type: 'started', pid: child.pid }));
  child.once('error', (error) => report({ type: 'failed', reason: error.message }, () => process.exit(1)));
  child.once('exit', (code, signal) => {
    signalGroup('SIGKILL');
    report({ type: 'exited', code, signal }, () => process.exit(0));
  });
}

process.on('message', start);

process.on('disconnect', () => {
  if (child?.pid === undefined) process.exit(0);
  signalGroup('SIGTERM');
  setTimeout(() => signalGroup('SIGKILL'), ORPHAN_GRACE_MS);
});

// Whoever stops a whole group of processes also reaches this one. The parent decides when its child
// ends, and in which order; so only the channel counts.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
