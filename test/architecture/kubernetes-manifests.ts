import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as keda from '@kubernetes-models/keda';
import * as kubernetes from 'kubernetes-models';
import { parse, parseAllDocuments } from 'yaml';

const FOLDER = join(__dirname, '../../infra/kubernetes');

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec?: Record<string, unknown>;
  data?: Record<string, string>;
}

export interface Kustomization {
  resources: string[];
  images?: { name: string; newName: string; newTag: string }[];
  patches?: { path?: string; patch?: string }[];
}

interface Model {
  validate(): void;
}
type ModelClass = new (data: unknown) => Model;

const read = (path: string) => readFileSync(join(FOLDER, path), 'utf8');

/** Files of a folder of manifests, without the kustomization. */
export const manifestFiles = (folder: string): string[] =>
  readdirSync(join(FOLDER, folder)).filter((name) => name !== 'kustomization.yaml');

export const kustomizationOf = (folder: string) =>
  parse(read(`${folder}/kustomization.yaml`)) as Kustomization;

/** All manifests of a folder, patches included. */
export function manifestsOf(folder: string): Manifest[] {
  return manifestFiles(folder).flatMap((name) =>
    parseAllDocuments(read(`${folder}/${name}`)).map((document) => document.toJS() as Manifest),
  );
}

/** Throws when the schema of its kind does not take the manifest, or when there is no such kind. */
export function validate({ apiVersion, kind, ...rest }: Manifest): void {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const namespace = modelNamespace(group, version);
  const ModelOf = namespace[kind];
  if (!ModelOf) throw new Error(`There is no ${kind} in ${apiVersion}.`);
  new ModelOf({ apiVersion, kind, ...rest }).validate();
}

/** As the packages name them: `appsV1` holds the kinds of apps/v1, `v1` those of the core. */
function modelNamespace(group: string, version: string): Record<string, ModelClass | undefined> {
  const camel = (text: string) => text.replace(/[.-](\w)/g, (_, letter: string) => letter.toUpperCase());
  if (group === '') return valueAt(kubernetes, version);
  if (group.endsWith('.sh')) return valueAt(valueAt(keda, camel(group)), version);
  return valueAt(valueAt(kubernetes, camel(group)), version);
}

function valueAt<T>(object: object, name: string): Record<string, T> {
  const value = (object as Record<string, unknown>)[name];
  if (typeof value !== 'object' || value === null) throw new Error(`There are no models of ${name}.`);
  return value as Record<string, T>;
}
