/**
 * Required before a program: its `Date` is off by `CLOCK_SHIFT_MS`, as on a machine whose clock is wrong. Timers go on as they
 * are.
 */
const shiftMs = Number(process.env.CLOCK_SHIFT_MS ?? '0');
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    super(...(parts.length === 0 ? [RealDate.now() + shiftMs] : parts));
  }

  static now() {
    return RealDate.now() + shiftMs;
  }
};
