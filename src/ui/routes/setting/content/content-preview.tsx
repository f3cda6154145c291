import { Button } from '@mantine/core';
import { Eye, EyeOff } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import type { OptionKey } from '../../../../core/options/facts.ts';
import { logoAddress } from '../../../browser/shown-file.ts';
import { ShownFile } from '../../../components/shown-file.tsx';
import { SiteContent } from '../../../components/site-content.tsx';
import { useTranslation } from '../../../i18n/index.ts';
import { useOptionTexts } from '../../../i18n/option-texts.ts';
import classes from './content.module.css';

interface ContentPreviewProps {
  readonly option: OptionKey;
  /** As the form has it, saved or not. */
  readonly text: string;
}

export function ContentPreview({ option, text }: ContentPreviewProps) {
  const { t } = useTranslation();
  const name = useOptionTexts().label(option);
  const [isOpen, setOpen] = useState(false);
  const shown = useDeferredValue(text);
  const Icon = isOpen ? EyeOff : Eye;
  return (
    <div>
      <Button
        size="compact-xs"
        variant="subtle"
        mt={4}
        leftSection={<Icon size={14} strokeWidth={1.75} />}
        aria-expanded={isOpen}
        aria-label={`${t(isOpen ? 'content.preview.hide' : 'content.preview')}: ${name}`}
        onClick={() => setOpen(!isOpen)}
      >
        {t(isOpen ? 'content.preview.hide' : 'content.preview')}
      </Button>
      {isOpen && (
        <section className={classes.preview} aria-label={t('content.preview.of', { name })}>
          {option === 'Logo' ? (
            <LogoPreview text={shown} />
          ) : (
            <TextPreview option={option} text={shown} title={name} />
          )}
        </section>
      )}
    </div>
  );
}

function TextPreview({ option, text, title }: ContentPreviewProps & { readonly title: string }) {
  const { t } = useTranslation();
  if (text.trim() !== '') return <SiteContent text={text} title={title} />;
  return (
    <p className={classes.dim}>
      {t(option === 'Footer' ? 'content.preview.footer' : 'content.preview.empty')}
    </p>
  );
}

function LogoPreview({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  const address = logoAddress(text);
  const [broken, setBroken] = useState('');
  const sign = <p className={classes.dim}>{t('content.logo.broken')}</p>;
  if (address === undefined || address === broken) return sign;
  const picture = (src: string, onBroken: () => void) => (
    <img src={src} alt="" width={32} height={32} onError={onBroken} />
  );
  if (address.startsWith('/')) return picture(address, () => setBroken(address));
  return (
    <ShownFile key={address} address={address} kind="image" fallback={sign}>
      {picture}
    </ShownFile>
  );
}
