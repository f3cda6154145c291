/** Where Azure's operations are (docs/rules/providers.md#azure-addresses). */

import { clientQuery, isAiGateway } from '../../canonical/kit/request-target.ts';
import type { Call } from '../../canonical/provider.ts';
import type { OpenAiTask } from '../openai-compatible/index.ts';
import type { OpenAiSettings } from '../openai-compatible/settings.ts';

export interface AzureSettings extends OpenAiSettings {
  readonly azure_strip_dots?: boolean;
  readonly azure_responses_version?: string;
}

const builtInVersion = '2025-04-01-preview';
/** Versions of the surface that names no deployment in its paths. */
const undatedVersions = new Set(['v1', 'preview']);

const tasks: Partial<Record<OpenAiTask, string>> = {
  chat: 'chat/completions',
  completion: 'completions',
  embedding: 'embeddings',
  image: 'images/generations',
  'image-edit': 'images/edits',
  speech: 'audio/speech',
  transcription: 'audio/transcriptions',
  translation: 'audio/translations',
  responses: 'responses',
};

/** The caller's `?api-version=`, else the channel's `other`, else the process's default. */
function apiVersion(call: Call): string {
  const requested = new URLSearchParams(clientQuery(call)).get('api-version');
  return requested || call.other.trim() || call.options.azureApiVersion || builtInVersion;
}

/** Before this version `stream_options` and `max_completion_tokens` were unknown, and refused. */
export function isBefore2024September(call: Call): boolean {
  const version = apiVersion(call);
  return /^\d{4}-\d{2}-\d{2}/.test(version) && version.slice(0, 10) < '2024-09-01';
}

/**
 * The upstream's model name is the name of a deployment. Channels from the time when deployments
 * could have no dots set `azure_strip_dots`.
 */
export function deploymentName(model: string, { settings }: Call<AzureSettings>): string {
  return settings?.azure_strip_dots === true ? model.replaceAll('.', '') : model;
}

/**
 * The root of the resource, also where the base URL names the `/openai` or `/openai/v1` under it.
 */
function resourceOf(baseUrl: string): string {
  return baseUrl.replace(/\/openai(\/v1)?$/, '');
}

/**
 * The base URL names the surface without dates and deployments, and nobody asks for another version:
 * it needs no `api-version`.
 */
function isUndated(call: Call): boolean {
  const version = new URLSearchParams(clientQuery(call)).get('api-version') || call.other.trim();
  return !version && /\/openai\/v1$/.test(call.baseUrl);
}

/** Responses have one undated version, except at the hosts of the older kind of resource. */
function responsesAddress(root: string, call: Call<AzureSettings>): string {
  const dated =
    URL.canParse(root) && new URL(root).hostname.endsWith('.cognitiveservices.azure.com');
  if (isUndated(call) && !call.settings?.azure_responses_version)
    return `${root}/openai/v1/responses`;
  const version = call.settings?.azure_responses_version || (dated ? apiVersion(call) : 'preview');
  return `${root}/openai/${dated ? '' : 'v1/'}responses?api-version=${encodeURIComponent(version)}`;
}

/** Cloudflare's AI Gateway has the resource in its base and the deployment right behind it. */
function placeOf(root: string, deployment: string, version: string): string {
  if (isAiGateway(root)) return `${root}/${deployment}`;
  return `${root}/openai/${undatedVersions.has(version) ? 'v1' : `deployments/${deployment}`}`;
}

export function azureAddress(
  task: OpenAiTask,
  call: Call<AzureSettings>,
  deployment: string,
): string {
  const root = resourceOf(call.baseUrl);
  const version = apiVersion(call);
  const name = encodeURIComponent(deployment);
  if (isUndated(call) && task !== 'responses') {
    const undated = `${root}/openai/v1/${tasks[task] ?? task}`;
    return task === 'realtime' ? `${undated}?model=${name}` : undated;
  }
  if (task === 'realtime')
    return `${root}/openai/realtime?deployment=${name}&api-version=${encodeURIComponent(version)}`;
  if (task === 'responses') return responsesAddress(root, call);
  return `${placeOf(root, name, version)}/${tasks[task] ?? task}?api-version=${encodeURIComponent(version)}`;
}
