/**
 * Checks the dependency rules (docs/architecture.md). A room is a folder below src with an
 * allow-list of the rooms and, optionally, the packages it may import. Import cycles between files
 * are not allowed, type imports included. A file belongs to the innermost room that contains it. In
 * a room's name `*` matches one folder: `ui/routes/*` makes every folder of `ui/routes` a room, and
 * in an allow-list `x/*` means every room directly inside x. A name that ends in `.ts` is a room of
 * one file. Run by `npm run check`; prints every import that is not allowed.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

interface Room {
  readonly rooms: readonly string[];
  /** Allowed packages; absent: all except those in {@link packageOwners} of other rooms. */
  readonly packages?: readonly string[];
}

/** Modules that also run in the browser: they import only each other, and zod through the kernel. */
const declarations = [
  'core/kernel',
  'core/vocabulary',
  'core/models',
  'core/entities',
  'core/pricing',
  'core/options',
  'core/contract',
  'core/i18n',
  'core/logs/log-view.ts',
  'core/tasks/task-view.ts',
];
/** The services from the lowest up: each may import those before it. */
const services = [
  'core/audit',
  'core/site',
  'core/billing',
  'core/logs',
  'core/metrics',
  'core/catalog',
  'core/notices',
  'core/accounts',
  'core/playground',
  'core/tokens',
  'core/budgets',
  'core/payments',
  'core/files',
  'core/channels',
  'core/losses',
  'core/price-sync',
  'core/site-config',
  'core/tasks',
  'core/setup',
  'core/doctor',
  'core/import',
];
const belowServices = [
  ...declarations,
  'core/storage',
  'core/cluster',
  'core/runtime',
  'core/upstream',
  'core/config',
];
const serviceRooms: Readonly<Record<string, Room>> = Object.fromEntries(
  services.map((name, index) => [name, { rooms: [...belowServices, ...services.slice(0, index)] }]),
);
/**
 * What one option is made of: below the registry of options, so that vendors can declare theirs.
 */
const optionParts = [
  'core/options/define.ts',
  'core/options/rules.ts',
  'core/options/panels.ts',
  'core/options/server-status.ts',
];

const wires = [
  'core/providers/openai-compatible',
  'core/providers/openai-responses',
  'core/providers/anthropic-messages',
];
/** A vendor knows the canonical form, the wires that many vendors speak, and no other vendor. */
const vendor = [
  'core/kernel',
  'core/vocabulary',
  'core/models',
  'core/canonical',
  'core/providers/*/options.ts',
  'core/providers/*/fields.ts',
  ...wires,
];

/**
 * The console's rooms from the lowest up: each may import those before it. Screens never import
 * each other.
 */
const consoleLayers = [
  'ui/browser',
  'ui/i18n',
  'ui/theme',
  'ui/client',
  'ui/queries',
  'ui/hooks',
  'ui/components',
  'ui/form',
  'ui/list',
];
const consoleRooms: Readonly<Record<string, Room>> = {
  ...Object.fromEntries(
    consoleLayers.map((name, index) => [
      name,
      { rooms: [...declarations, ...consoleLayers.slice(0, index)] },
    ]),
  ),
  // What vendors say of the fields of their channels.
  'ui/routes/*': { rooms: [...declarations, 'core/providers/fields.ts', ...consoleLayers] },
  // The sidebar shows the table of screens, which stands in ui itself.
  'ui/shell': { rooms: [...declarations, ...consoleLayers, 'ui'] },
  ui: { rooms: [...declarations, ...consoleLayers, 'ui/shell', 'ui/routes/*'] },
};

/** What every room of the relay may import outside it. */
const below = [
  ...declarations,
  ...services,
  'core/storage',
  'core/cluster',
  'core/upstream',
  'core/metering',
  'core/canonical',
  'core/config',
];
/**
 * The same for rooms of the relay that work on requests: the shared types, and what they are made
 * of.
 */
const onRequests = [
  ...below,
  'core/relay',
  'core/relay/client',
  'core/relay/body',
  'core/relay/files',
  'core/relay/formats',
  'core/relay/formats/*',
  'core/relay/stored-responses',
];

const rooms: Readonly<Record<string, Room>> = {
  'core/kernel': { rooms: [], packages: ['zod'] },
  'core/vocabulary': { rooms: ['core/kernel'], packages: [] },
  // What is known of models, as data: names, limits, prices.
  'core/models': { rooms: ['core/kernel', 'core/vocabulary'], packages: [] },
  // The fields of each entity: the tables and the API schemas derive from the same declaration.
  'core/entities': { rooms: ['core/kernel', 'core/vocabulary'], packages: [] },
  'core/pricing/rows.ts': { rooms: [], packages: [] },
  'core/pricing': {
    rooms: ['core/kernel', 'core/models', 'core/pricing/rows.ts', 'core/providers/prices.ts'],
    packages: [],
  },
  ...Object.fromEntries(
    optionParts.map((name) => [name, { rooms: ['core/kernel', ...optionParts], packages: [] }]),
  ),
  'core/options': {
    rooms: [
      'core/kernel',
      'core/vocabulary',
      'core/pricing',
      ...optionParts,
      'core/providers/options.ts',
    ],
    packages: [],
  },
  'core/contract': {
    rooms: ['core/kernel', 'core/vocabulary', 'core/entities', 'core/options'],
    packages: [],
  },
  // Rows as people see them, on every face.
  'core/logs/log-view.ts': {
    rooms: ['core/vocabulary', 'core/contract', 'core/pricing'],
    packages: [],
  },
  'core/tasks/task-view.ts': { rooms: ['core/vocabulary', 'core/contract'], packages: [] },
  'core/i18n': {
    rooms: ['core/kernel', 'core/vocabulary', 'core/options', 'core/providers/option-words.ts'],
    packages: [],
  },
  'core/config': { rooms: ['core/kernel', 'core/vocabulary'] },
  'core/storage': { rooms: ['core/kernel', 'core/vocabulary', 'core/entities', 'migrations'] },
  migrations: { rooms: ['core/storage'], packages: ['kysely'] },
  // The canonical request, reply and stream, the provider interface and code that vendors share.
  'core/canonical': { rooms: ['core/kernel', 'core/vocabulary', 'core/models'] },
  // What a vendor declares for everybody: its price defaults, the site's options that only it
  // reads, the words of its fields in the console. Browser-safe, and gathered in one file each.
  'core/providers/*/prices.ts': { rooms: ['core/pricing/rows.ts'], packages: [] },
  'core/providers/prices.ts': {
    rooms: ['core/pricing/rows.ts', 'core/providers/*/prices.ts'],
    packages: [],
  },
  'core/providers/*/options.ts': { rooms: optionParts, packages: [] },
  'core/providers/options.ts': { rooms: ['core/providers/*/options.ts'], packages: [] },
  'core/providers/*/option-words.ts': { rooms: ['core/providers/*/options.ts'], packages: [] },
  'core/providers/option-words.ts': { rooms: ['core/providers/*/option-words.ts'], packages: [] },
  'core/providers/*/fields.ts': { rooms: ['core/vocabulary'], packages: [] },
  'core/providers/fields.ts': {
    rooms: ['core/vocabulary', 'core/providers/*/fields.ts'],
    packages: [],
  },
  // The registry of vendors. Only the core's entry point imports it; everybody else is given it.
  'core/providers': { rooms: ['core/canonical', 'core/providers/*'] },
  'core/providers/*': { rooms: vendor },
  'core/providers/openai-responses': {
    rooms: ['core/kernel', 'core/vocabulary', 'core/models', 'core/canonical'],
  },
  'core/providers/openai-compatible': {
    rooms: [
      'core/kernel',
      'core/vocabulary',
      'core/models',
      'core/canonical',
      'core/providers/openai-responses',
    ],
  },
  // Clouds that serve the vendors' models under addresses of their own.
  'core/providers/aws': { rooms: [...vendor, 'core/providers/anthropic'] },
  'core/providers/azure': { rooms: [...vendor, 'core/providers/openai'] },
  'core/providers/vertex': {
    rooms: [...vendor, 'core/providers/anthropic', 'core/providers/gemini'],
  },
  // The signature of a cloud whose text messages are sent, too.
  'core/providers/tencent/sign.ts': { rooms: [], packages: [] },
  'core/providers/tencent': { rooms: [...vendor, 'core/providers/tencent/sign.ts'] },
  // Predecessors and resellers of a vendor.
  'core/providers/baidu': { rooms: [...vendor, 'core/providers/baidu-v2'] },
  'core/providers/imported': { rooms: [...vendor, 'core/providers/openai'] },
  'core/providers/palm': { rooms: [...vendor, 'core/providers/gemini'] },
  'core/upstream': { rooms: ['core/kernel', 'core/vocabulary', 'core/models', 'core/canonical'] },
  'core/metering': {
    rooms: ['core/kernel', 'core/models', 'core/pricing', 'core/canonical'],
    packages: ['gpt-tokenizer', 'image-size'],
  },
  // What several processes share: changes, counters, leases, values.
  'core/cluster': { rooms: ['core/kernel', 'core/storage'] },
  // The shape of a service module, what keeps caches and database together, background jobs and
  // their runner.
  'core/runtime': { rooms: ['core/kernel', 'core/cluster', 'core/storage'] },
  ...serviceRooms,
  'core/notices': {
    rooms: [...(serviceRooms['core/notices']?.rooms ?? []), 'core/providers/tencent/sign.ts'],
  },
  // The channel editor shows what a provider can do: its models, fields and defaults.
  'core/channels': { rooms: [...(serviceRooms['core/channels']?.rooms ?? []), 'core/canonical'] },
  'core/doctor': { rooms: [...(serviceRooms['core/doctor']?.rooms ?? []), 'core/maintenance'] },
  // Polls the upstreams of tasks.
  'core/tasks': { rooms: [...(serviceRooms['core/tasks']?.rooms ?? []), 'core/canonical'] },
  // From the client's bytes up: body and files, the formats over them, what one request carries,
  // and what is done with it.
  'core/relay/client': { rooms: below },
  'core/relay/body': { rooms: [...below, 'core/relay/client'] },
  'core/relay/files': { rooms: below },
  'core/relay/formats/families': { rooms: below },
  'core/relay/formats/shared': {
    rooms: [...below, 'core/relay/body', 'core/relay/files', 'core/relay/formats/families'],
  },
  'core/relay/formats': { rooms: [...below, 'core/relay/body', 'core/relay/formats/*'] },
  // One format knows no other.
  'core/relay/formats/*': {
    rooms: [
      ...below,
      'core/relay/body',
      'core/relay/files',
      'core/relay/formats/families',
      'core/relay/formats/shared',
    ],
  },
  'core/relay/stored-responses': { rooms: below },
  'core/relay': {
    rooms: [
      'core/relay/stored-responses',
      ...below,
      'core/relay/client',
      'core/relay/body',
      'core/relay/files',
      'core/relay/formats/families',
      'core/relay/formats/shared',
    ],
  },
  'core/relay/charge': { rooms: onRequests },
  'core/relay/select': { rooms: onRequests },
  'core/relay/shape': { rooms: onRequests },
  'core/relay/carry': {
    rooms: [...onRequests, 'core/relay/charge', 'core/relay/select', 'core/relay/shape'],
  },
  'core/relay/admit': { rooms: [...onRequests, 'core/relay/charge', 'core/relay/select'] },
  // Long work: what all platforms share, and the routes of each; one platform knows no other.
  'core/relay/tasks': {
    rooms: [
      ...onRequests,
      'core/relay/admit',
      'core/relay/carry',
      'core/relay/charge',
      'core/relay/select',
      'core/relay/shape',
      'core/relay/tasks/*',
    ],
  },
  'core/relay/tasks/*': { rooms: [...onRequests, 'core/relay/admit'] },
  'core/relay/sockets': { rooms: [...below, 'core/relay/client'] },
  'core/relay/background': { rooms: [...onRequests, 'core/relay/admit'] },
  'core/relay/lookups': {
    rooms: [
      ...onRequests,
      'core/relay/admit',
      'core/relay/background',
      'core/relay/charge',
      'core/relay/select',
    ],
  },
  'core/relay/responses-socket': { rooms: [...onRequests, 'core/relay/sockets'] },
  'core/relay/realtime': {
    rooms: [
      ...onRequests,
      'core/relay/admit',
      'core/relay/carry',
      'core/relay/charge',
      'core/relay/sockets',
    ],
  },
  'core/relay/entry': {
    rooms: [
      ...onRequests,
      'core/relay/admit',
      'core/relay/background',
      'core/relay/carry',
      'core/relay/lookups',
      'core/relay/realtime',
      'core/relay/responses-socket',
      'core/relay/select',
      'core/relay/sockets',
      'core/relay/tasks',
    ],
  },
  // Make the relay from its rooms; the engine is what only a gateway loads at once.
  'core/relay/module.ts': {
    rooms: [...below, 'core/relay', 'core/relay/*', 'core/relay/engine.ts'],
  },
  'core/relay/engine.ts': { rooms: [...below, 'core/relay', 'core/relay/*'] },
  'core/relay/channel-test': {
    rooms: [
      ...onRequests,
      'core/relay/carry',
      'core/relay/charge',
      'core/relay/entry',
      'core/relay/select',
    ],
  },
  // Backups, restores and other work on a database as a whole, for commands and before the start.
  'core/maintenance': {
    rooms: [...belowServices, 'core/audit', 'core/billing', 'core/accounts', 'migrations'],
  },
  core: {
    rooms: [
      ...declarations,
      ...services,
      'core/maintenance',
      'core/config',
      'core/storage',
      'core/cluster',
      'core/runtime',
      'core/canonical',
      'core/providers',
      'core/upstream',
      'core/metering',
      'core/relay/module.ts',
    ],
  },
  // Before a gateway is loaded.
  'server/heap.ts': { rooms: [] },
  server: {
    rooms: [
      ...declarations,
      ...services,
      'core',
      'core/cluster',
      'core/config',
      'core/maintenance',
      'core/relay',
      'core/canonical',
    ],
  },
  // The made-up site of `serve --demo` and `npm run dev`, and the upstream that its channels lead to.
  'demo/random.ts': { rooms: [] },
  'demo/upstream': { rooms: ['core/kernel', 'demo/random.ts'] },
  'demo/site': {
    rooms: [
      ...declarations,
      'core',
      'core/config',
      'core/accounts',
      'core/maintenance',
      'core/payments',
      'server',
      'demo/random.ts',
      'demo/upstream',
    ],
  },
  demo: { rooms: ['demo/random.ts', 'demo/upstream', 'demo/site'] },
  ...consoleRooms,
  // From the bottom up: texts, flags, errors and prompts; drawing; tables and names; the definition
  // of a command.
  'cli/base': { rooms: [...declarations, 'core/config', 'package.json'] },
  'cli/kit': { rooms: declarations },
  'cli/show': { rooms: [...declarations, 'cli/base', 'cli/kit'] },
  'cli/connection': {
    rooms: [...declarations, 'core', 'core/config', 'core/maintenance', 'server', 'cli/base'],
  },
  'cli/command': { rooms: [...declarations, 'cli/base', 'cli/show', 'cli/connection'] },
  'cli/completion': {
    rooms: [
      ...declarations,
      'core/config',
      'core/maintenance',
      'cli/base',
      'cli/command',
      'cli/connection',
    ],
  },
  'cli/screens': { rooms: [...declarations, 'cli/base', 'cli/kit', 'cli/show'] },
  'cli/commands': {
    rooms: [
      ...declarations,
      'core',
      'core/doctor',
      'core/maintenance',
      'core/config',
      'server',
      'server/heap.ts',
      'demo',
      'cli/base',
      'cli/kit',
      'cli/show',
      'cli/connection',
      'cli/command',
      'cli/screens',
    ],
  },
  cli: { rooms: [...declarations, 'core', 'core/config', 'server/heap.ts', 'cli/*'] },
};

/** Packages that only the listed rooms may import. */
const packageOwners: Readonly<Record<string, readonly string[]>> = {
  // Its schemas are made when they are used (core/kernel/zod.ts).
  zod: ['core/kernel'],
  kysely: ['core/storage', 'migrations'],
  'better-sqlite3': ['core/storage', 'core/config', 'core/import'],
  pg: ['core/storage', 'core/import'],
  mysql2: ['core/import'],
  express: ['server'],
  helmet: ['server'],
  compression: ['server'],
  undici: ['core/upstream'],
  re2js: ['core/upstream'],
  'gpt-tokenizer': ['core/metering'],
  commander: ['cli'],
  ink: ['cli'],
  react: ['ui', 'cli'],
};

/** Exceptions: type-only imports that are allowed across rooms, with the reason. */
const exceptions: Readonly<Record<string, string>> = {};

const source = resolve('src');

const isFile = (name: string): boolean => name.endsWith('.ts');

/**
 * Whether a room matches a name of {@link rooms} or of an allow-list. Names of files match files
 * only.
 */
function matches(room: string, name: string): boolean {
  if (room === name) return true;
  if (!name.includes('*') || isFile(room) !== isFile(name)) return false;
  const parts = name.split('/');
  const given = room.split('/');
  return (
    parts.length === given.length && parts.every((part, at) => part === '*' || part === given[at])
  );
}

function findRoom(name: string): Room | undefined {
  return rooms[name] ?? Object.entries(rooms).find(([pattern]) => matches(name, pattern))?.[1];
}

/** The name of the room that contains a file; the folder's name if there is none. */
function roomOf(path: string): string {
  const inSource = relative(source, path);
  if (findRoom(inSource) !== undefined) return inSource;
  const folders = (inSource.startsWith('..') ? relative(resolve('.'), path) : inSource)
    .split('/')
    .slice(0, -1);
  for (let depth = folders.length; depth > 0; depth--) {
    const name = folders.slice(0, depth).join('/');
    if (findRoom(name) === undefined) continue;
    const isDivided = Object.keys(rooms).some(
      (other) => !isFile(other) && other.startsWith(`${name}/`),
    );
    return isDivided && depth < folders.length ? folders.slice(0, depth + 1).join('/') : name;
  }
  return folders[0] ?? relative(resolve('.'), path);
}

/** Whether a room is one of the named ones or inside one of them. */
function isWithin(room: string, names: readonly string[]): boolean {
  return names.some((name) => room === name || room.startsWith(`${name}/`));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return filesIn(path);
    return /\.tsx?$/.test(name) ? [path] : [];
  });
}

function problemOf(file: string, specifier: string): string | undefined {
  const from = roomOf(file);
  const room = findRoom(from);
  if (room === undefined) return `${from} is no room of the house`;
  if (specifier.startsWith('.')) {
    const to = roomOf(resolve(dirname(file), specifier));
    return to === from || room.rooms.some((name) => matches(to, name))
      ? undefined
      : `${from} may not import ${to}`;
  }
  if (specifier.startsWith('node:'))
    return isWithin(from, [...declarations, 'ui']) ? `${from} must run in a browser` : undefined;
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  if (room.packages !== undefined)
    return room.packages.includes(name) ? undefined : `${from} may not import the package ${name}`;
  const kept = packageOwners[name];
  return kept === undefined || isWithin(from, kept)
    ? undefined
    : `only ${kept.join(', ')} may import the package ${name}`;
}

/** An import cycle, or undefined. */
function findCycle(imports: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>();
  const walk = (file: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of imports.get(file) ?? []) {
      const circle = walk(next, [...way, file]);
      if (circle !== undefined) return circle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of imports.keys()) {
    const circle = walk(file, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

const problems: string[] = [];
/**
 * File → the files it imports statically, including type imports. Dynamic imports cannot cause a
 * cycle on loading.
 */
const imports = new Map<string, string[]>();
for (const file of [...filesIn(source), ...filesIn(resolve('migrations'))]) {
  const text = readFileSync(file, 'utf8');
  for (const match of text.matchAll(
    /^(?:import|export)\b[^;'"]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm,
  )) {
    const specifier = match[1] ?? match[2] ?? match[3] ?? '';
    const problem = problemOf(file, specifier);
    if (match[3] === undefined && /^\..*\.tsx?$/.test(specifier))
      imports.set(file, [...(imports.get(file) ?? []), resolve(dirname(file), specifier)]);
    const where = `${relative(resolve('.'), file)} -> ${specifier}`;
    if (problem !== undefined && exceptions[where] === undefined)
      problems.push(`${where}: ${problem}`);
  }
}
const circle = findCycle(imports);
if (circle !== undefined)
  problems.push(`a circle: ${circle.map((file) => relative(resolve('.'), file)).join(' -> ')}`);
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n${problems.length} imports point the wrong way\n`);
  process.exit(1);
}
