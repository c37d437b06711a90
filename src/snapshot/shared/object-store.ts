/** Storage of immutable objects that several servers reach. Names are like "a1b2/parts/c3d4". */
export interface ObjectStore {
  /** Returns the bytes of an object; undefined if it does not exist.  @throws if the storage is unavailable */
  read(name: string): Promise<Uint8Array | undefined>;
  /** Writes an object, or replaces it.  @throws if the storage is unavailable */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Writes an object unless one with the same name exists.  @returns whether it was written */
  create(name: string, bytes: Uint8Array): Promise<boolean>;
  list(): Promise<readonly StoredObject[]>;
  /** Removes an object, if it exists. */
  remove(name: string): Promise<void>;
}

export interface StoredObject {
  readonly name: string;
  /** Milliseconds since 1970, by the clock of the storage. */
  readonly modifiedAt: number;
}
