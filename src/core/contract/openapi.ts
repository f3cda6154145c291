/** The contract as an OpenAPI 3.1 document; zod prints the schemas. */
import { z } from 'zod';
import type { Access, Endpoint, Shape } from './endpoint.ts';
import { api } from './index.ts';

type Json = Record<string, unknown>;

const security: Readonly<Record<Access, string>> = {
  visitor: 'Open to everybody.',
  user: 'Signed-in users.',
  admin: 'Administrators.',
  root: 'The super administrator.',
};

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return json;
}

/** The reply envelope around an output (docs/rules/console-api.md#envelopes). */
function envelope(shape: Shape, output: Json): Json {
  const success = { success: { type: 'boolean' }, message: { type: 'string' } };
  if (shape === 'flat') return { allOf: [{ type: 'object', properties: success }, output] };
  if (shape === 'code')
    return { type: 'object', properties: { code: { type: 'integer' }, message: { type: 'string' }, data: output } };
  return { type: 'object', properties: { ...success, data: output }, required: ['success', 'message'] };
}

function describe(id: string, call: Endpoint): Json {
  const { properties = {}, required = [] } = schemaOf(call.input, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const inPath = [...call.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
  const hasBody = call.method === 'POST' || call.method === 'PUT';
  const inQuery = Object.keys(properties).filter((name) => !inPath.includes(name) && (!hasBody || call.query?.includes(name)));
  const inBody = Object.keys(properties).filter((name) => !inPath.includes(name) && !inQuery.includes(name));
  const parameter = (name: string, place: string): Json => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: properties[name],
  });
  const body = {
    type: 'object',
    properties: Object.fromEntries(inBody.map((name) => [name, properties[name]])),
    required: required.filter((name) => inBody.includes(name)),
  };
  return {
    operationId: id,
    tags: [id.split('.')[0]],
    summary: call.summary,
    description: security[call.access],
    parameters: [...inPath.map((name) => parameter(name, 'path')), ...inQuery.map((name) => parameter(name, 'query'))],
    ...(hasBody && inBody.length > 0 ? { requestBody: { content: { 'application/json': { schema: body } } } } : {}),
    responses: {
      200: {
        description: 'Done, or refused with success false',
        content: { 'application/json': { schema: envelope(call.shape ?? 'data', schemaOf(call.output, 'output')) } },
      },
    },
    ...(call.access === 'visitor' ? {} : { security: [{ session: [] }, { systemToken: [] }] }),
  };
}

/** Deterministic: the same declarations give the same text. */
export function openApiDocument(version: string): Json {
  const paths: Record<string, Json> = {};
  for (const [group, calls] of Object.entries(api)) {
    for (const [name, call] of Object.entries(calls as Record<string, Endpoint>)) {
      const path = call.path.replace(/:(\w+)/g, '{$1}');
      paths[path] = { ...paths[path], [call.method.toLowerCase()]: describe(`${group}.${name}`, call) };
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Turnpike console API', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'session', description: 'With the header New-Api-User' },
        systemToken: { type: 'http', scheme: 'bearer', description: 'System access token, with the header New-Api-User' },
      },
    },
  };
}
