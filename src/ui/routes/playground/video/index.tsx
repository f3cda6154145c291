/** The video playground (docs/rules/task-logs.md#video-playground). */
import { Button, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Clapperboard } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { isObject } from '../../../../core/kernel/json.ts';
import { EmptyState, FailedState } from '../../../components/states.tsx';
import { useKeptDraft } from '../../../form/kept-draft.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { type Choices, useChoices, useLinkedModel, type Wanted } from '../choices.ts';
import { ErrorBox } from '../error-box.tsx';
import { PlaygroundFrame } from '../frame.tsx';
import { PromptsButton } from '../prompts/prompts-button.tsx';
import { useSubmit } from './use-submit.ts';
import { useVideos } from './use-videos.ts';
import classes from './video.module.css';
import { VideoHistory } from './video-history.tsx';
import {
  defaultSecondsOf,
  imageUseOf,
  longestPrompt,
  orderOf,
  preferredModel,
  secondsOf,
  sizesOf,
} from './video-order.ts';
import { VideoPreview } from './video-preview.tsx';
import { useVideoCost, VideoSettings } from './video-settings.tsx';

/** The models of the group; the reader's own choice, else one of the default ones. */
function useVideoChoices(wanted: Wanted): Choices {
  const choices = useChoices('video', wanted);
  const preferred = wanted.model === '' ? preferredModel(choices.models) : undefined;
  return preferred === undefined ? choices : { ...choices, model: preferred };
}

export function VideoPlayground() {
  const { t } = useTranslation();
  const [query] = useSearchParams();
  // The newest video is shown at first, unless a link chooses a model for a new one.
  const [entered] = useState(() => ({
    isLinked: query.size > 0,
    model: query.get('model'),
    tag: query.get('tag') ?? '',
  }));
  // An order of the gallery that is used again.
  const state: unknown = useLocation().state;
  const [before] = useState(isObject(state) ? state : {});
  const [wanted, setWanted] = useState({
    group: '',
    model: '',
    image: '',
    size: typeof before['size'] === 'string' ? before['size'] : '',
    seconds: Number(before['seconds'] ?? 0) || 0,
  });
  const change = (fields: Partial<typeof wanted>) =>
    setWanted((before) => ({ ...before, ...fields }));
  const choices = useVideoChoices(wanted);
  useLinkedModel(choices.groups, change);
  const [opened, sheet] = useDisclosure(false);
  const list = useVideos();
  const [chosen, setChosen] = useState<string>();
  const selected = chosen ?? (entered.isLinked ? undefined : list.videos[0]?.task_id);
  const video = list.videos.find(({ task_id }) => task_id === selected);
  const { isBusy, failure, submit } = useSubmit({
    onAccepted: (id) => {
      setChosen(id);
      void list.add(id);
    },
    onLost: list.retry,
  });
  const { model, group } = choices;
  const [kept = '', keep] = useKeptDraft<string>('prompt');
  const [prompt, setPrompt] = useState(kept || String(before['prompt'] ?? ''));
  keep(prompt);
  const [isSending, setSending] = useState(false);
  const [isTried, setTried] = useState(false);

  const name = model?.model ?? '';
  const imageUse =
    model === undefined ? 'none' : imageUseOf(model, name === entered.model ? entered.tag : '');
  const image = imageUse === 'none' ? '' : wanted.image;
  const sizes = sizesOf(name);
  const size = sizes.find((each) => each.size === wanted.size)?.size ?? sizes[0]?.size ?? '';
  const lengths = secondsOf(name);
  const seconds =
    lengths.length < 2
      ? undefined
      : lengths.includes(wanted.seconds)
        ? wanted.seconds
        : defaultSecondsOf(name);
  const cost = useVideoCost(choices, image === '' ? size : '', seconds);
  const longest = longestPrompt(name);
  const text = prompt.trim();
  const promptProblem =
    text === '' && image === ''
      ? t('video.prompt.missing')
      : text.length > longest
        ? t('video.prompt.tooLong', { max: longest })
        : undefined;
  const imageProblem = imageUse === 'needed' && image === '' ? t('video.image.needed') : undefined;

  const generate = () => {
    setTried(true);
    if (model === undefined || group === undefined || isSending) return;
    if (imageProblem !== undefined) return sheet.open();
    if (promptProblem !== undefined) return;
    setTried(false);
    void submit({
      model: name,
      group: group.name,
      prompt: text,
      size: image === '' ? size : '',
      image,
      seconds,
    });
  };

  const settings = (
    <VideoSettings
      {...{ choices, size, seconds, image, imageUse }}
      imageProblem={isTried ? imageProblem : undefined}
      onChange={change}
      onBusy={setSending}
    />
  );
  return (
    <PlaygroundFrame
      title={t('video.title')}
      choices={choices}
      settings={settings}
      sheet={{ opened, ...sheet }}
    >
      <div className={classes.columns}>
        <div className={classes.main}>
          <div className={classes.scroller}>
            {video === undefined ? (
              model === undefined ? (
                <NoModel choices={choices} />
              ) : (
                !list.isLoading && (
                  <EmptyState title={t('video.empty')} text={t('video.empty.text')} />
                )
              )
            ) : (
              <VideoPreview
                video={video}
                isBusy={isBusy}
                onAgain={() => void submit(orderOf(video))}
              />
            )}
          </div>
          {(model ?? video ?? failure) !== undefined && (
            <div className={classes.dock}>
              {failure !== undefined && (
                <ErrorBox
                  error={failure.error}
                  onRetry={() => void submit(failure.order)}
                  onChoose={sheet.open}
                />
              )}
              {model === undefined ? (
                video !== undefined && <NoModel choices={choices} />
              ) : (
                <form
                  className={classes.form}
                  onSubmit={(event) => {
                    event.preventDefault();
                    generate();
                  }}
                >
                  <Textarea
                    label={t('video.prompt')}
                    placeholder={t('video.prompt.placeholder')}
                    autosize
                    minRows={2}
                    maxRows={8}
                    value={prompt}
                    error={isTried || text.length > longest ? promptProblem : undefined}
                    onChange={(event) => setPrompt(event.currentTarget.value)}
                  />
                  <div className={classes.submit}>
                    <PromptsButton text={prompt} onChange={setPrompt} />
                    <span className={classes.cost}>{cost}</span>
                    <Button
                      type="submit"
                      loading={isBusy}
                      disabled={isSending}
                      leftSection={<Clapperboard size={16} strokeWidth={1.75} />}
                    >
                      {t('video.generate')}
                    </Button>
                  </div>
                </form>
              )}
            </div>
          )}
        </div>
        <VideoHistory list={list} selected={selected} onSelect={setChosen} />
      </div>
    </PlaygroundFrame>
  );
}

function NoModel({
  choices: { isLoading, error, retry, group, isElsewhere },
}: {
  choices: Choices;
}) {
  const { t } = useTranslation();
  if (error !== null)
    return <FailedState title={t('playground.failed')} error={error} onRetry={retry} />;
  if (isLoading) return null;
  return (
    <EmptyState
      title={t('video.noModel')}
      text={
        t('video.noModel.text', { group: group?.name ?? '' }) +
        (isElsewhere ? t('playground.noModel.other') : '')
      }
    />
  );
}
