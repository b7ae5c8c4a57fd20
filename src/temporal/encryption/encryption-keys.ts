import type { KeyObject } from 'node:crypto';
import { UserError } from '../../platform/user-error';
import type { KeyRing } from './encryption-file';

/** How old the keys in use may be: a rotated key counts in every process within this time, without a restart. */
const REREAD_MS = 10_000;
/** An unknown key is looked for at once, but a flood of such payloads must not read the file each time. */
const LOOK_AGAIN_MS = 500;

/** The key that encrypts now. */
export interface WritingKey {
  readonly id: string;
  readonly key: KeyObject;
}

export interface KeySource {
  /** Reads the keys. @throws UserError */
  readonly read: () => Promise<KeyRing>;
  /** Receives why the keys could not be read again; the earlier ones stay in use. */
  readonly onWarning: (text: string) => void;
  readonly rereadMs?: number;
}

/** The keys of an encryption file, read again as the process runs. */
export class EncryptionKeys {
  private readAtMs = performance.now();
  private reading: Promise<void> | null = null;

  private constructor(
    private readonly source: KeySource,
    private ring: KeyRing,
  ) {}

  /** @throws UserError when the keys cannot be read */
  static async open(source: KeySource): Promise<EncryptionKeys> {
    return new EncryptionKeys(source, await source.read());
  }

  /** The key to encrypt with. */
  async writing(): Promise<WritingKey> {
    await this.refresh(this.source.rereadMs ?? REREAD_MS);
    const { writeWith: id, keys } = this.ring;
    const key = keys.get(id);
    if (key === undefined) throw new TypeError('a key ring has the key that it writes with');
    return { id, key };
  }

  /** The key to decrypt with; null when the file has none of this id. */
  async find(id: string): Promise<KeyObject | null> {
    const known = this.ring.keys.get(id);
    if (known !== undefined) return known;
    await this.refresh(LOOK_AGAIN_MS);
    return this.ring.keys.get(id) ?? null;
  }

  private async refresh(afterMs: number): Promise<void> {
    if (this.reading === null && performance.now() - this.readAtMs < afterMs) return;
    this.reading ??= this.readAgain();
    await this.reading;
  }

  private async readAgain(): Promise<void> {
    try {
      this.ring = await this.source.read();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      this.source.onWarning(`the encryption keys stay as they were: ${error.message}`);
    } finally {
      this.readAtMs = performance.now();
      this.reading = null;
    }
  }
}
