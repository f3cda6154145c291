/**
 * An answer's Markdown, block by block: while text comes, only its last block is drawn anew. Loaded
 * with the first answer.
 */
import { Marked, type Token, type Tokens } from 'marked';
import { type MouseEvent, memo, Suspense, useMemo, useRef } from 'react';
import { sanitizeHtml } from '../../../browser/sanitize-html.ts';
import { client } from '../../../client/api.ts';
import { leaveWhenExpired, toastFailure, toastProblem } from '../../../client/failures.ts';
import { latePart } from '../../../client/late-part.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import { useForeignLabel } from '../../../components/foreign-label.ts';
import { translate, useTranslation } from '../../../i18n/index.ts';
import classes from './chat.module.css';
import { useFormulas } from './formulas.ts';
import { highlight } from './highlight.ts';
import { formulas } from './maths-syntax.ts';

/**
 * Shows a picture of another site in an answer, in the place of its link
 * (docs/rules/console.md#foreign-files). For clicks anywhere in an answer. A picture that cannot be
 * shown leaves its link, which then opens it in a new tab.
 */
function showForeign(event: MouseEvent): void {
  const link =
    event.target instanceof Element ? event.target.closest('a[data-foreign="image"]') : null;
  if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey)
    return;
  event.preventDefault();
  if (link.ariaBusy === 'true') return;
  link.ariaBusy = 'true';
  const giveUp = (tell: () => void) => {
    link.ariaBusy = null;
    link.dataset['foreign'] = 'link';
    tell();
  };
  client.files.showForeign({ address: link.href }).then(
    ({ url }) => {
      const picture = document.createElement('img');
      picture.alt = link.textContent;
      picture.addEventListener('load', () => link.replaceWith(picture));
      picture.addEventListener('error', () =>
        giveUp(() => toastProblem(translate('playground.foreign.failed'))),
      );
      picture.src = url;
    },
    (error: unknown) => giveUp(() => void (leaveWhenExpired(error) || toastFailure(error))),
  );
}

/** Longer answers stay plain: reading them as Markdown would stop the page. */
const longest = 200_000;
/** Lists and quotations within each other; deeper ones stay as they are written. */
const deepest = 12;

/** Each block runs in the direction of its own words; what lies in it follows. */
const directionAt = (depth: number) => (depth === 0 ? 'auto' : undefined);

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
/** HTML in an answer is text: nobody meant it for this page. */
const markdown = new Marked({ gfm: true, breaks: true, async: false, renderer: { html } });
markdown.use({ extensions: formulas });

const Diagram = latePart(async () => ({ default: (await import('./diagram.tsx')).Diagram }));

/** A block, or a tag within a line. */
function html({ text, block }: Tokens.HTML | Tokens.Tag): string {
  return block ? `<p>${escapeHtml(text)}</p>` : escapeHtml(text);
}

interface Answer {
  readonly blocks: readonly Token[];
  /** Addresses that links and pictures of any block name by reference, as one text. */
  readonly links: string;
}

function readBlocks(text: string): Answer | undefined {
  if (text.length > longest) return undefined;
  try {
    const tokens = markdown.lexer(text);
    const blocks = tokens.filter(({ type }) => type !== 'space' && type !== 'def');
    return { blocks, links: JSON.stringify(tokens.links) };
  } catch {
    // Nested too deep to be read.
    return undefined;
  }
}

export function Markdown({ text }: { text: string }) {
  const answer = useMemo(() => readBlocks(text), [text]);
  if (answer === undefined)
    return (
      <p className={classes.plain} dir="auto">
        {text}
      </p>
    );
  return <Blocks {...answer} depth={0} />;
}

function Blocks({ blocks, links, depth }: Answer & { depth: number }) {
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks never change places
    <Block key={index} block={block} raw={block.raw} links={links} depth={depth} />
  ));
}

interface BlockProps {
  readonly block: Token;
  readonly raw: string;
  readonly links: string;
  readonly depth: number;
}

const Block = memo(
  function Block({ block, links, depth }: BlockProps) {
    if (depth < deepest && block.type === 'code') return <Code code={block as Tokens.Code} />;
    if (depth < deepest && block.type === 'list')
      return <List list={block as Tokens.List} links={links} depth={depth} />;
    if (depth < deepest && block.type === 'blockquote')
      return (
        <blockquote dir={directionAt(depth)}>
          <Blocks blocks={(block as Tokens.Blockquote).tokens} links={links} depth={depth + 1} />
        </blockquote>
      );
    return <Html block={block} depth={depth} />;
  },
  // Blocks are read anew each time; what they were read from says whether they changed. An address
  // that a block names may stand in a later one.
  (before, after) =>
    before.raw === after.raw &&
    before.links === after.links &&
    before.block.type === after.block.type,
);

function Html({ block, depth }: { block: Token; depth: number }) {
  const label = useForeignLabel();
  const html = useMemo(() => {
    try {
      return sanitizeHtml(String(markdown.parser([block])), label);
    } catch {
      return `<pre>${escapeHtml(block.raw)}</pre>`;
    }
  }, [block, label]);
  const place = useRef<HTMLDivElement>(null);
  useFormulas(place, html);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: what is clicked is a link, which keys click as well
    // biome-ignore lint/a11y/noStaticElementInteractions: as above
    <div
      ref={place}
      dir={directionAt(depth)}
      onClick={showForeign}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

function List({ list, links, depth }: { list: Tokens.List; links: string; depth: number }) {
  const items = list.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items never change places
    <li key={index} data-task={item.task || undefined}>
      {item.task && <span aria-hidden="true">{item.checked ? '☑ ' : '☐ '}</span>}
      <Blocks
        blocks={item.tokens.filter(({ type }) => type !== 'space' && type !== 'checkbox')}
        links={links}
        depth={depth + 1}
      />
    </li>
  ));
  return list.ordered ? (
    <ol dir={directionAt(depth)} start={list.start === '' ? 1 : list.start}>
      {items}
    </ol>
  ) : (
    <ul dir={directionAt(depth)}>{items}</ul>
  );
}

/** A diagram is drawn once its text is whole. */
function Code({ code }: { code: Tokens.Code }) {
  const block = <CodeBlock {...code} />;
  if (code.lang?.toLowerCase() !== 'mermaid' || !/\n[ \t]*(```+|~~~+)\s*$/.test(code.raw))
    return block;
  return (
    <Suspense fallback={block}>
      <Diagram text={code.text}>{block}</Diagram>
    </Suspense>
  );
}

function CodeBlock({ text, lang = '' }: Pick<Tokens.Code, 'text' | 'lang'>) {
  const { t } = useTranslation();
  const language = lang.split(/\s/)[0] ?? '';
  const pieces = useMemo(() => highlight(text, language), [text, language]);
  return (
    <figure className={classes.code} dir="ltr">
      <figcaption>
        <span>{language === '' ? t('playground.code') : language}</span>
        <CopyButton text={text} label={t('playground.copy.code')} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must scroll by keyboard as well */}
      <pre tabIndex={0}>
        <code>
          {pieces.map(({ text: piece, kind }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces never change places
            <span key={index} data-kind={kind}>
              {piece}
            </span>
          ))}
        </code>
      </pre>
    </figure>
  );
}
