import type { Priority } from '@temporalio/common';

/** Of the workflow of an imported order: behind those without a priority, which count as 3. */
export const IMPORTED: Priority = { priorityKey: 4 };

export const isImported = (priority: Priority | undefined): boolean =>
  priority?.priorityKey === IMPORTED.priorityKey;
