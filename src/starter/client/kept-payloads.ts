import { defaultPayloadConverter, type LoadedDataConverter, type Payload } from '@temporalio/common';
import {
  decodeOptionalFailureToOptionalError,
  decodeOptionalSinglePayload,
} from '@temporalio/common/lib/internal-non-workflow';
import type { temporal } from '@temporalio/proto';

type Payloads = { readonly payloads?: readonly Payload[] | null } | null | undefined;

type Fields = Readonly<Record<string, Payload>> | null | undefined;

/** Decodes what Temporal keeps, and counts what cannot be decoded: this process may lack a key. */
export class KeptPayloads {
  #undecoded = 0;

  constructor(private readonly converter: LoadedDataConverter) {}

  /** How many payloads could not be decoded so far. */
  get undecoded(): number {
    return this.#undecoded;
  }

  /** @returns nothing when there is no payload, or it cannot be decoded */
  async read(payload: Payload | null | undefined): Promise<unknown> {
    return await this.attempt(
      async () => await decodeOptionalSinglePayload<unknown>(this.converter, payload),
    );
  }

  /** The first of several: every message and activity of Consign has one argument. */
  async readFirst(payloads: Payloads): Promise<unknown> {
    return await this.read(payloads?.payloads?.[0]);
  }

  /** The fields of a memo; undefined for one that cannot be decoded. */
  async readMemo(fields: Fields): Promise<Record<string, unknown>> {
    const read: Record<string, unknown> = {};
    for (const [name, payload] of Object.entries(fields ?? {})) read[name] = await this.read(payload);
    return read;
  }

  /** Search attributes, which are never encoded. */
  async readAttributes(fields: Fields): Promise<Record<string, unknown>> {
    const read: Record<string, unknown> = {};
    for (const [name, payload] of Object.entries(fields ?? {}))
      read[name] = await this.attempt(
        async () => await Promise.resolve(defaultPayloadConverter.fromPayload<unknown>(payload)),
      );
    return read;
  }

  /** The message of a failure, which may be encrypted; nothing when there is none, or it cannot be decoded. */
  async readMessage(failure: temporal.api.failure.v1.IFailure | null | undefined) {
    const error = await this.attempt(
      async () => await decodeOptionalFailureToOptionalError(this.converter, failure),
    );
    return error?.message;
  }

  /** For an answer of the client that decodes by itself. @returns undefined when it cannot be decoded */
  async attempt<T>(decode: () => Promise<T>): Promise<T | undefined> {
    try {
      return await decode();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      // Whatever the converter throws, the other payloads can still be read. The count reports this one.
      this.#undecoded += 1;
      return undefined;
    }
  }
}
