/**
 * A Mermaid diagram of an answer, as a picture: what it names is not loaded, and its styles stay in
 * it. Loaded with the first one.
 */
import { useComputedColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Braces, Workflow } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { CopyButton } from '../../../components/copy-button.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { useTranslation } from '../../../i18n/index.ts';
import classes from './chat.module.css';

/** In a picture there are only the fonts of the system. */
const fontFamily = 'system-ui, sans-serif';
/** Longer ones would stop the page. */
const longest = 20_000;

/** The address of the picture. Throws what Mermaid says of a text that it does not understand. */
async function draw(text: string, dark: boolean): Promise<string> {
  const { default: mermaid } = await import('mermaid');
  mermaid.initialize({
    startOnLoad: false,
    suppressErrorRendering: true,
    securityLevel: 'strict',
    theme: dark ? 'dark' : 'neutral',
    fontFamily,
    maxTextSize: longest,
    htmlLabels: false,
    flowchart: { htmlLabels: false },
  });
  const { svg } = await mermaid.render(`diagram-${crypto.randomUUID()}`, text);
  const page = new DOMParser().parseFromString(svg, 'text/html');
  const picture = page.querySelector('svg');
  if (picture === null) throw new Error('no picture');
  const { width, height } = picture.viewBox.baseVal;
  picture.setAttribute('width', String(Math.ceil(width)));
  picture.setAttribute('height', String(Math.ceil(height)));
  const xml = new XMLSerializer().serializeToString(picture);
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(xml)}`;
}

/** `children`: the text, where it is no diagram or the reader wants to see it. */
export function Diagram({
  text,
  children,
}: {
  readonly text: string;
  readonly children: ReactNode;
}) {
  const { t } = useTranslation();
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  const [isText, setText] = useState(false);
  const { data } = useQuery({
    queryKey: ['diagram', text, dark],
    queryFn: () => draw(text, dark),
    enabled: text.length <= longest,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    // It stays a text.
    meta: { silent: true },
  });
  if (data === undefined) return children;
  const label = t(isText ? 'playground.diagram.show' : 'playground.diagram.text');
  return (
    <div className={classes.diagram}>
      {isText ? children : <img src={data} alt={t('playground.diagram')} />}
      <div className={classes.tools}>
        <IconButton size={24} label={label} onClick={() => setText(!isText)}>
          {isText ? <Workflow size={14} /> : <Braces size={14} />}
        </IconButton>
        {!isText && <CopyButton text={text} label={t('playground.copy.code')} />}
      </div>
    </div>
  );
}
