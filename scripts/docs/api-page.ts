/** The console's API as a page, from its OpenAPI document. */
import { notate, type Schema } from '../generate/json-notation.ts';
import { code, table } from '../generate/markdown.ts';

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

const intro = `# HTTP API

The calls of the console: what it can do, a script can do, too. The same as a document for programs:
[openapi.json](/docs/openapi.json). Calls need the cookie of a session, or a system access token as
\`Authorization: Bearer …\`, and in both cases the header \`New-Api-User\` with the user's id. The
gateway's own calls (\`/v1/…\`) are those of the vendors.`;

function shapesOf({ content = {} }: Content): string {
  return Object.entries(content)
    .map(([type, { schema }]) => `\`${type}\`\n\n\`\`\`ts\n${notate(schema)}\n\`\`\``)
    .join('\n\n');
}

function operationText(method: string, path: string, operation: Operation): string {
  const { summary, description, parameters, requestBody, responses } = operation;
  const parts = [`### ${method.toUpperCase()} ${path}`, `${summary}. ${description}`];
  if (parameters.length > 0)
    parts.push(
      table(
        ['Parameter', 'In', 'Type', ''],
        parameters.map((one) => [
          code(one.name),
          one.in,
          code(notate(one.schema ?? {})),
          one.required ? 'required' : '',
        ]),
      ),
    );
  if (requestBody !== undefined) parts.push(`Body: ${shapesOf(requestBody)}`);
  parts.push(`Reply: ${shapesOf(responses['200'] ?? {})}`);
  return parts.join('\n\n');
}

/** Markdown. `document`: what `openApiDocument` returns. */
export function apiPage(document: Readonly<Record<string, unknown>>): string {
  const paths = document['paths'] as Record<string, Record<string, Operation>>;
  const groups = new Map<string, string[]>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [group = ''] = operation.tags;
      const texts = groups.get(group) ?? [];
      texts.push(operationText(method, path, operation));
      groups.set(group, texts);
    }
  }
  const sections = [...groups].map(([group, texts]) => [`## ${group}`, ...texts].join('\n\n'));
  return `${[intro, ...sections].join('\n\n')}\n`;
}
