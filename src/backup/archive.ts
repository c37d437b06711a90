import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { createTarDecoder, createTarPacker } from "modern-tar";
import { SetupError } from "../setup-error.ts";
import type { ManifestMember } from "./manifest.ts";

/**
 * Level of gzip. For catalog data, the default level, 6, takes 50% longer and makes the file 6% smaller. zstd is faster
 * and smaller, but tar cannot read it everywhere.
 */
const COMPRESSION_LEVEL = 4;

/** A compressed tar file in progress. Members are written one after another. */
export interface Archive {
  /**
   * Writes a file. Content after `size` is not read.
   * @throws SetupError if the content is shorter than `size`
   */
  add(name: string, content: AsyncIterable<Uint8Array>, file: FileProperties): Promise<ManifestMember>;
}

export interface FileProperties {
  /** Size of the file in bytes. */
  readonly size: number;
  readonly mode: number;
  readonly mtime: Date;
}

/**
 * Writes a compressed tar file. Memory use does not depend on the size of the members.
 * @param output stream to which the file is written. It is closed at the end, unless it is the standard output.
 * @returns the result of `writeMembers`
 */
export async function writeArchive<T>(
  output: NodeJS.WritableStream,
  writeMembers: (archive: Archive) => Promise<T>,
): Promise<T> {
  const { readable, controller } = createTarPacker();
  const writePromise = pipeline(Readable.fromWeb(readable), createGzip({ level: COMPRESSION_LEVEL }), output);
  const archive: Archive = {
    async add(name, content, { size, mode, mtime }) {
      const hash = createHash("sha256");
      const writer = controller.add({ name, size, mode, mtime, type: "file" }).getWriter();
      let bytes = 0;
      for await (const chunk of content) {
        const part = chunk.subarray(0, size - bytes);
        hash.update(part);
        await writer.write(part);
        bytes += part.length;
        if (bytes === size) break;
      }
      if (bytes < size)
        throw new SetupError(`${name}: the file became shorter while it was read. Run the command again.`);
      await writer.close();
      return { bytes, sha256: hash.digest("hex") };
    },
  };
  const fillArchive = async (): Promise<T> => {
    try {
      const result = await writeMembers(archive);
      controller.finalize();
      return result;
    } catch (error) {
      controller.error(error);
      throw error;
    }
  };
  // Report an error of the output first, because it is the cause of the members' error.
  const [outputResult, membersResult] = await Promise.allSettled([writePromise, fillArchive()]);
  if (outputResult.status === "rejected") throw outputResult.reason;
  if (membersResult.status === "rejected") throw membersResult.reason;
  return membersResult.value;
}

/** A file in an archive. Its content must be read before the next member. */
export interface ArchiveMember {
  readonly name: string;
  readonly mode: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * Yields the files of a compressed tar file.
 * @throws SetupError if the input is another format, damaged, or incomplete
 */
export async function* readArchive(input: Readable): AsyncGenerator<ArchiveMember> {
  const gunzipStream = createGunzip();
  const unpackPromise = pipeline(input, gunzipStream);
  // The loop below throws the same error.
  unpackPromise.catch(() => {});
  const explainFailure = (error: unknown): unknown => explainError(input.errored ?? gunzipStream.errored ?? error);
  const readContent = async function* (body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* body;
    } catch (error) {
      throw explainFailure(error);
    }
  };
  try {
    const bytes = Readable.toWeb(gunzipStream) as ReadableStream<Uint8Array>;
    for await (const { header, body } of bytes.pipeThrough(createTarDecoder({ strict: true })))
      if (header.type === "file") yield { name: header.name, mode: header.mode ?? 0o644, content: readContent(body) };
      else throw new SetupError(`${header.name}: the backup has a member that is not a file.`);
    await unpackPromise;
  } catch (error) {
    throw explainFailure(error);
  } finally {
    input.destroy();
  }
}

function explainError(error: unknown): unknown {
  if (error instanceof SetupError || !(error instanceof Error) || "syscall" in error) return error;
  return new SetupError(`the file is damaged, incomplete, or not a backup: ${error.message}. Use another copy of it.`);
}
