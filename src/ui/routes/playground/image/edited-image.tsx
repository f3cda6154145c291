/** The image that the next order edits, beside the prompt. */
import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from '../../../components/icon-button.tsx';
import { useTranslation } from '../../../i18n/index.ts';
import classes from './image.module.css';

export function EditedImage({ image, onRemove }: { image: Blob; onRemove: () => void }) {
  const { t } = useTranslation();
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(image);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [image]);
  return (
    <p className={classes.edited}>
      {address !== undefined && <img src={address} alt="" />}
      <span>{t('playground.image.editing')}</span>
      <IconButton size={44} label={t('playground.image.editing.remove')} onClick={onRemove}>
        <X size={16} />
      </IconButton>
    </p>
  );
}
