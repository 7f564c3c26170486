import { Type } from 'typebox';
import type { Platform } from '../../../platform/deps.ts';
import { NotFoundError } from '../../../platform/errors.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import { findProduct, getProduct, type Product, readCatalogue } from '../../products/index.ts';
import {
  addReleaseKey,
  createFile,
  FileCreate,
  type FileLimits,
  FilePart,
  FileRecord,
  findRelease,
  getReleaseTag,
  listReleaseKeys,
  listReleases,
  PART_BYTES,
  publishRelease,
  type Release,
  ReleaseCreate,
  ReleaseKeyCreate,
  ReleaseKeyRecord,
  ReleaseRecord,
  ReleaseUpdate,
  retireReleaseKey,
  sortReleases,
  toReleaseKeyRecord,
  toReleaseRecord,
  updateRelease,
  writeFilePart,
} from '../../releases/index.ts';

/** Releases of products, their files and release keys. */
export function adminReleaseRoutes(api: RestApi, platform: Platform, limits: FileLimits): void {
  const { db } = platform.datastore;
  const getActor = ({ user }: { user: { login: string } | null }): string => user?.login ?? '';
  async function findBySlug(slug: string): Promise<Product> {
    const product = findProduct(await readCatalogue(db), slug);
    if (!product) throw new NotFoundError('The product');
    return product;
  }
  async function show(release: Release) {
    const product = getProduct(await readCatalogue(db), release.productId);
    return {
      body: toReleaseRecord(product, release),
      headers: { etag: getReleaseTag(release) },
    };
  }

  api.add({
    method: 'GET',
    path: '/products/{product}/releases',
    summary: 'List the releases of a product, highest version first',
    answers: { 200: Type.Array(ReleaseRecord) },
    async handle({ key }) {
      const product = await findBySlug(key);
      const releases = sortReleases(await listReleases(db, product.id));
      return { body: releases.map((release) => toReleaseRecord(product, release)) };
    },
  });
  api.add({
    method: 'POST',
    path: '/products/{product}/release-files',
    summary: 'Start the upload of a file',
    args: FileCreate,
    answers: { 201: FileRecord },
    async handle({ key, args: { name, bytes } }) {
      const { id: productId } = await findBySlug(key);
      const id = await createFile(platform, { productId, name, bytes }, limits);
      return { status: 201, body: { id, name, part_bytes: PART_BYTES } };
    },
  });
  api.add({
    method: 'POST',
    path: '/release-files/{id}/parts',
    summary: 'Upload a part of a file',
    args: FilePart,
    answers: { 200: FilePart.properties.position },
    refusals: {
      409: {
        not_possible: 'The file is being published or is part of a release. Upload another one.',
      },
    },
    async handle({ id, args: { position, data } }) {
      const content = Buffer.from(data, 'base64');
      await writeFilePart(platform, { id, position, content }, limits);
      return { body: position };
    },
  });
  api.add({
    method: 'POST',
    path: '/products/{product}/releases',
    summary: 'Publish an uploaded file as a release',
    args: ReleaseCreate,
    answers: { 201: ReleaseRecord },
    refusals: {
      409: {
        not_possible: 'The file is being published or is part of a release. Upload another one.',
      },
    },
    async handle(request) {
      const { file_id: fileId, sbom_file_id: sbomFileId, ...wanted } = request.args;
      const product = await findBySlug(request.key);
      const files = { fileId, sbomFileId };
      const release = await publishRelease(platform, product, files, wanted, getActor(request));
      const { body, headers } = await show(release);
      const location = api.getUrl(`/releases/${release.id}`);
      return { status: 201, body, headers: { ...headers, location } };
    },
  });
  api.add({
    method: 'GET',
    path: '/releases/{id}',
    summary: 'Get a release',
    answers: { 200: ReleaseRecord },
    async handle({ id }) {
      const release = await findRelease(db, id);
      if (!release) throw new NotFoundError('The release');
      return show(release);
    },
  });
  api.add({
    method: 'PUT',
    path: '/releases/{id}',
    summary: 'Change, yank or restore a release',
    args: ReleaseUpdate,
    answers: { 200: ReleaseRecord },
    refusals: { 412: 'rest_precondition_failed' },
    async handle(request) {
      const change = { edits: request.args, ifMatch: request.headers['if-match'] };
      return show(await updateRelease(platform, request.id, change, getActor(request)));
    },
  });
  api.add({
    method: 'GET',
    path: '/products/{product}/release-keys',
    summary: 'List the release keys of a product',
    answers: { 200: Type.Array(ReleaseKeyRecord) },
    async handle({ key }) {
      const { id } = await findBySlug(key);
      return { body: (await listReleaseKeys(db, id)).map(toReleaseKeyRecord) };
    },
  });
  api.add({
    method: 'POST',
    path: '/products/{product}/release-keys',
    summary: 'Add a release key',
    args: ReleaseKeyCreate,
    answers: { 201: ReleaseKeyRecord },
    async handle(request) {
      const { public_key: publicKey, name } = request.args;
      const product = await findBySlug(request.key);
      const key = { publicKey, name };
      const added = await addReleaseKey(platform, product, key, getActor(request));
      return { status: 201, body: toReleaseKeyRecord(added) };
    },
  });
  api.add({
    method: 'POST',
    path: '/release-keys/{id}/retire',
    summary: 'Retire a release key',
    answers: { 200: ReleaseKeyRecord },
    async handle(request) {
      const key = await retireReleaseKey(platform, request.id, getActor(request));
      return { body: toReleaseKeyRecord(key) };
    },
  });
}
