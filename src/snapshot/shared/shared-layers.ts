import { link, mkdir, mkdtempDisposable, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { partialDirPrefix, partialFileName } from "@vitrine/search/file";
import { readRevisionToken } from "../../storage/catalog/revisions.ts";
import type { Database } from "../../storage/database.ts";
import type { BaseLayer, DeltaLayer } from "../build.ts";
import type { SnapshotBuilder } from "../builder.ts";
import { readDeltaFile } from "../delta-file.ts";
import { formatIndexFileName, type IndexFolder, removeOtherFiles } from "../index-files.ts";
import { type CatalogLayers, createCatalogLayers, revisionOf, selectOldestLayers } from "../layers.ts";
import { readIndexFile, registerFileCloser } from "../load.ts";
import {
  formatCopyName,
  formatManifestName,
  getIndexId,
  type IndexManifest,
  parseManifest,
  type SharedFile,
} from "./index-manifest.ts";
import type { ObjectStore } from "./object-store.ts";
import { downloadFile, uploadFile } from "./transfer-files.ts";

export interface SharedLayersOptions {
  readonly store: ObjectStore;
  readonly folder: IndexFolder;
  readonly database: Database;
  readonly builder: Pick<SnapshotBuilder, "saveDelta" | "computeDeletes" | "waitForSave">;
}

/** Version in the files of deltas. The name of their manifest depends on the settings and the code. */
const DELTA_FILE_VERSION = "delta";
/** Number of manifests whose files stay in the local folder: the current one, and the one for a rollback. */
const LOCAL_MANIFEST_COUNT = 2;

/** Reads and writes the layers of the index in the shared storage. The local folder has a copy of each file. */
export function createSharedLayers({ store, folder, database, builder }: SharedLayersOptions) {
  const indexId = getIndexId(folder);
  /** The shared file of each layer in memory. */
  const sharedFiles = new WeakMap<BaseLayer | DeltaLayer, SharedFile>();
  /** Names of the local copies that this server has read in full, or whose hashes it has compared. */
  const verifiedCopies = new Set<string>();
  let usedManifests: readonly IndexManifest[] = [];

  const getManifestName = async (revision: number): Promise<string> => {
    const token = await readRevisionToken(database, revision);
    if (token === undefined) throw new Error(`the catalog revision ${revision} has no name`);
    return formatManifestName(folder, revision, token);
  };
  const getCopyPath = (file: SharedFile): string => join(folder.dir, formatCopyName(file));
  const removeUnusedCopies = (manifest: IndexManifest): void => {
    const otherManifests = usedManifests.filter(({ revision }) => revision !== manifest.revision);
    usedManifests = [manifest, ...otherManifests].slice(0, LOCAL_MANIFEST_COUNT);
    const files = usedManifests.flatMap((usedManifest) => usedManifest.files);
    const copyNames = new Set(files.map(formatCopyName));
    removeOtherFiles(folder, new Set([...copyNames, ...files.map(({ version }) => version)]));
    for (const name of verifiedCopies) if (!copyNames.has(name)) verifiedCopies.delete(name);
  };

  /** Returns the layer of a file: from memory, from the local folder, or from the shared storage. */
  const loadLayer = async <Layer extends BaseLayer | DeltaLayer>(
    file: SharedFile,
    layersInMemory: readonly Layer[],
    readLayer: (path: string, version: string, isVerified: boolean) => Promise<Layer | undefined>,
  ): Promise<Layer> => {
    const copyName = formatCopyName(file);
    const hasCopyName = (layer: Layer): boolean => {
      const sharedFile = sharedFiles.get(layer);
      return sharedFile !== undefined && formatCopyName(sharedFile) === copyName;
    };
    let layer = layersInMemory.find(hasCopyName);
    if (layer !== undefined) return layer;
    const path = getCopyPath(file);
    layer = await readLayer(path, file.version, verifiedCopies.has(copyName));
    if (layer === undefined) {
      await mkdir(folder.dir, { recursive: true });
      await downloadFile(store, indexId, file, path);
      if (file.version !== DELTA_FILE_VERSION) await createHardLink(path, join(folder.dir, file.version));
      layer = await readLayer(path, file.version, true);
    }
    if (layer === undefined) throw new Error(`the shared index file ${copyName} is damaged`);
    verifiedCopies.add(copyName);
    sharedFiles.set(layer, file);
    return layer;
  };

  /** Uploads the file of the full build, which was saved in the local folder. */
  const uploadBase = async (baseLayer: BaseLayer): Promise<SharedFile> => {
    await builder.waitForSave(baseLayer);
    const { revision } = baseLayer.base;
    const token = await readRevisionToken(database, revision);
    const version = formatIndexFileName(folder, revision, token ?? "");
    const path = join(folder.dir, version);
    const file = await uploadFile(store, indexId, path, { revision, version });
    await createHardLink(path, getCopyPath(file));
    verifiedCopies.add(formatCopyName(file));
    return file;
  };
  const uploadDelta = async (deltaLayer: DeltaLayer): Promise<SharedFile> => {
    const { revision } = deltaLayer.delta;
    await using partialDir = await mkdtempDisposable(join(folder.dir, partialDirPrefix));
    const path = join(partialDir.path, partialFileName);
    await builder.saveDelta(deltaLayer, path, DELTA_FILE_VERSION);
    const file = await uploadFile(store, indexId, path, { revision, version: DELTA_FILE_VERSION });
    await rename(path, getCopyPath(file));
    return file;
  };

  return {
    /**
     * Reads the layers of a revision.
     * @param layersInMemory layers that are used again if the revision contains them
     * @throws if a file is missing or damaged, or the storage is unavailable
     */
    async load(revision: number, layersInMemory: readonly CatalogLayers[]): Promise<CatalogLayers> {
      const bytes = await store.read(await getManifestName(revision));
      if (bytes === undefined) throw new Error(`the shared index lacks revision ${revision}`);
      const manifest = parseManifest(bytes);
      const [baseFile, ...deltaFiles] = manifest.files as [SharedFile, ...SharedFile[]];
      const deltasInMemory = layersInMemory.flatMap(({ deltas }) => deltas);
      const [base, ...deltas] = await Promise.all([
        loadLayer(
          baseFile,
          layersInMemory.map((layers) => layers.base),
          readIndexFile,
        ),
        ...deltaFiles.map((file) => loadLayer(file, deltasInMemory, readDeltaFile)),
      ]);
      registerFileCloser(base);
      removeUnusedCopies(manifest);
      const baseLayers = createCatalogLayers(base);
      if (deltas.length === 0) return baseLayers;
      return { base, deltas, deletes: await builder.computeDeletes(selectOldestLayers(baseLayers, 0), deltas) };
    },
    /**
     * Writes layers, and then their manifest.
     * @returns whether these layers are the shared ones. If not, another server has written the manifest before
     * @throws errors of the disk and of the storage
     */
    async save(layers: CatalogLayers): Promise<boolean> {
      const revision = revisionOf(layers);
      const allLayers = [layers.base, ...layers.deltas];
      const files: SharedFile[] = [];
      for (const layer of allLayers) {
        const file = sharedFiles.get(layer) ?? (await ("base" in layer ? uploadBase(layer) : uploadDelta(layer)));
        sharedFiles.set(layer, file);
        files.push(file);
      }
      const manifest: IndexManifest = { revision, files };
      const name = await getManifestName(revision);
      const bytes = Buffer.from(JSON.stringify(manifest));
      const isShared = (await store.create(name, bytes)) || bytes.equals((await store.read(name)) ?? Buffer.of());
      if (isShared) removeUnusedCopies(manifest);
      return isShared;
    },
  };
}

/** Gives a file a second name. On file systems without links, a later start transfers or builds the file again. */
async function createHardLink(path: string, newPath: string): Promise<void> {
  await rm(newPath, { force: true });
  await link(path, newPath).catch(() => undefined);
}
