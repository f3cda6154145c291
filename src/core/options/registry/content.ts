import { jsonOption, textOption } from '../define.ts';
import { chatLinks } from '../rules.ts';

const content = { panel: 'other.content', exposure: 'public' } as const;
const legacy = { panel: 'other.legacy', built: false } as const;

/** Texts of the site: Markdown, HTML or one address (console-api 1.4), stored as they are and sanitised where shown. */
export const contentOptions = {
  /** The seed's default name and logo (administration 9). */
  SystemName: textOption({ ...content, default: 'New API', status: 'system_name' }),
  Logo: textOption({ ...content, default: '/logo.png', status: 'logo' }),
  Footer: textOption({ ...content, default: '', multiline: true, status: 'footer_html' }),
  Notice: textOption({ ...content, default: '', multiline: true }),
  HomePageContent: textOption({ ...content, default: '', multiline: true }),
  About: textOption({ ...content, default: '', multiline: true }),

  /** Clients a token can be carried into; `{key}` and `{address}` are filled in by the console. */
  Chats: jsonOption({
    panel: 'operation.chats',
    schema: chatLinks,
    status: 'chats',
    default: [
      { NextChat: 'https://app.nextchat.dev/#/?settings={"key":"{key}","url":"{address}"}' },
      {
        'Lobe Chat': 'https://lobechat.com/?settings={"keyVaults":{"openai":{"apiKey":"{key}","baseURL":"{address}/v1"}}}',
      },
      {
        'AI as Workspace':
          'https://aiaw.app/set-provider?provider={"type":"openai","settings":{"apiKey":"{key}","baseURL":"{address}/v1","compatibility":"strict"}}',
      },
      { AMA: 'ama://set-api-key?server={address}&key={key}' },
      { OpenCat: 'opencat://team/join?domain={address}&token={key}' },
    ],
  }),

  // One link each, from One API; only imports set them (console-api 1.3).
  ChatLink: textOption({ ...legacy, default: '', status: 'chat_link' }),
  ChatLink2: textOption({ ...legacy, default: '', status: 'chat_link2' }),
};
