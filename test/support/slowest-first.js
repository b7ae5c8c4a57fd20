'use strict';

const { default: TestSequencer } = require('@jest/test-sequencer');

/** Their files wait for servers and processes. */
const SLOWEST = ['e2e', 'workflow', 'replay'];

/**
 * Without times of an earlier run jest begins with the largest files. A small one that waits for minutes would be
 * begun last, and be waited for alone.
 */
module.exports = class SlowestFirst extends TestSequencer {
  sort(tests) {
    const rank = ({ context }) => {
      const place = SLOWEST.indexOf(context.config.displayName?.name);
      return place < 0 ? SLOWEST.length : place;
    };
    return super.sort(tests).toSorted((a, b) => rank(a) - rank(b));
  }
};
