/** What customers of 2026's models use daily, with the tests that show it (rows-2026.test.ts). */

export type Test = readonly [file: string, title: string];
export type Change = readonly [change: string, ...tests: readonly Test[]];

const daily = (title: string): Test => ['core/relay/carry/daily-2026.test.ts', title];
const cache = (title: string): Test => ['core/providers/cache-marks.test.ts', title];
const azureAndMistral = (title: string): Test => [
  'core/providers/azure-and-mistral.test.ts',
  title,
];

export const features: readonly Change[] = [
  [
    'marks and lives of the prompt cache, between vendors',
    cache('reach Responses where GPT-5.6 and later have a place for them'),
    cache('are marks of Claude, of the usual life or the longer one'),
    cache('goes from chat to Responses, and back as far as chat knows it'),
    daily("has a messages caller's marks at OpenAI, of both lives"),
    daily("has a Responses caller's marks at Claude, and its key and options at OpenAI"),
  ],
  [
    'why a cache did not serve, and thinking that was thrown away',
    ['core/relay/charge/thinking-dropped.test.ts', '%s with %s, whole and streamed'],
    [
      'core/relay/charge/thinking-dropped.test.ts',
      'a prompt that came from the cache, and a cache that is not asked, say nothing',
    ],
  ],
  [
    '`phase` comes back',
    ['core/relay/carry/phase.test.ts', 'is returned for callers of %s, streamed %s'],
    ['core/relay/carry/phase.test.ts', 'is kept with stored responses'],
  ],
  [
    '`configuration_update` amid the input',
    [
      'core/relay/formats/configuration-update.test.ts',
      'the last update counts for each setting, streamed %s',
    ],
    daily('an update amid the input counts for Claude, streamed %s'),
  ],
  [
    'conversations, compaction and counting of Responses',
    [
      'core/relay/stored-responses/conversations.test.ts',
      'a turn knows those before it, streamed: %s',
    ],
    [
      'core/relay/stored-responses/compaction.test.ts',
      'a conversation becomes its user messages and a summary, which any model reads',
    ],
  ],
  [
    'one identifier for each user of the site',
    ['core/relay/shape/shape-request.test.ts', 'a channel with send_user_hash'],
  ],
  [
    'tools that a vendor runs are never lost in silence, new ones included',
    ['contract/conversion/hosted-tools.test.ts', 'a browser beside functions, in one tool'],
  ],
  [
    "arguments of Gemini's calls in pieces",
    ['core/providers/gemini-replies.test.ts', 'arguments piece by piece'],
    ['core/providers/vertex.test.ts', 'streams text, arguments in pieces, errors in a list'],
    daily('pieces of a call of Gemini are one call for %s callers, streamed %s'),
  ],
  [
    "Claude's new blocks and reasons to stop",
    daily('says in new blocks and reasons what %s callers understand, streamed %s'),
  ],
  [
    'reasons of Gemini that are no filter',
    [
      'core/providers/gemini-failed.test.ts',
      'with %s censored nothing: what came stands, and nothing at all is an error',
    ],
  ],
  [
    "what vendors' lists of models say of them",
    [
      'core/channels/model-sync.test.ts',
      'of OpenAI names new models and days of the end; others’ names are passed over',
    ],
    ['core/channels/model-sync.test.ts', 'has its limits and efforts wherever they are read'],
  ],
  [
    'wires of Bedrock for Claude and GPT (Mantle)',
    ['core/providers/mantle.test.ts', '%s callers, streamed %s, are served by %s'],
  ],
  ['regions of Vertex for Claude', ['core/providers/vertex.test.ts', 'of region %j']],
  [
    'Azure without versions',
    azureAndMistral('needs no version, and names the deployment in the body'),
    daily('Azure at /openai/v1 serves %s callers, streamed %s'),
  ],
  [
    "Mistral's fields, tiers and named tools",
    azureAndMistral('gets what else only it knows, and nothing that it refuses'),
    azureAndMistral('gets the key of the cache from callers of Responses'),
    azureAndMistral('knows tier %s as %s'),
    azureAndMistral('is given a named tool beside the others'),
    daily('Mistral gets its own fields, streamed %s'),
  ],
  [
    "Kimi's dialect of schemas, its sampling and forced tools",
    ['core/providers/moonshot-schemas.test.ts', 'a type beside alternatives'],
    ['contract/providers/cases/moonshot.ts', "Kimi's own sampling, limit and choice"],
  ],
  [
    'video of Wan since 2.7',
    [
      'core/providers/ali-video.test.ts',
      'from 2.7 on images and sound are a list of media, and text-to-video has resolution and ratio',
    ],
  ],
];
