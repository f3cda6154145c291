import { addressOption, jsonOption, textOption } from '../define.ts';
import { chatLinks, pictureText } from '../rules.ts';

const content = { panel: 'other.content', exposure: 'public' } as const;
const legacy = { panel: 'other.legacy', built: false } as const;

/**
 * Texts of the site: Markdown, HTML or an address (docs/rules/options.md#site-content), stored
 * unchanged and sanitised when displayed.
 */
export const contentOptions = {
  /** Name and logo of the site. */
  SystemName: textOption({ ...content, default: 'New API', status: 'system_name' }),
  Logo: textOption({ ...content, default: '/logo.png', status: 'logo', schema: pictureText }),
  Footer: textOption({ ...content, default: '', multiline: true, status: 'footer_html' }),
  Notice: textOption({ ...content, default: '', multiline: true }),
  HomePageContent: textOption({ ...content, default: '', multiline: true }),
  About: textOption({ ...content, default: '', multiline: true }),

  /** Chat clients that a token can be opened in; the console fills in `{key}` and `{address}`. */
  Chats: jsonOption({
    panel: 'operation.chats',
    schema: chatLinks,
    status: 'chats',
    default: [
      { NextChat: 'https://app.nextchat.dev/#/?settings={"key":"{key}","url":"{address}"}' },
      {
        'Lobe Chat':
          'https://lobechat.com/?settings={"keyVaults":{"openai":{"apiKey":"{key}","baseURL":"{address}/v1"}}}',
      },
      {
        'AI as Workspace':
          'https://aiaw.app/set-provider?provider={"type":"openai","settings":{"apiKey":"{key}","baseURL":"{address}/v1","compatibility":"strict"}}',
      },
      { AMA: 'ama://set-api-key?server={address}&key={key}' },
      { OpenCat: 'opencat://team/join?domain={address}&token={key}' },
    ],
  }),

  /** A chat client that `/chat2link` leads to (docs/rules/console.md#chat-redirects). */
  ChatLink2: addressOption({
    panel: 'operation.chats',
    default: '',
    strip: false,
    status: 'chat_link2',
  }),
  // A link of One API; only imports set it (docs/rules/options.md#site-content).
  ChatLink: addressOption({ ...legacy, default: '', strip: false, status: 'chat_link' }),
};
