import { collectTriedSwitches } from './tried-switches';
import { temporaryFolder } from './temporary-folder';

// oxlint-disable-next-line import/no-default-export -- what jest takes
export default function setUp(): void {
  collectTriedSwitches(temporaryFolder());
}
