import { Alert, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { checkableAnswers } from '../../src/domain/believe-gone';
import { questionText, type Question } from '../../src/domain/question';
import type { ShipmentState } from '../../src/domain/shipment-state';
import { answerButtons, answerRequest, minorUnitsOf, rateText, type AnswerButton } from '../answers';
import { shipmentPath } from '../api';
import { ChangeOrder } from './change-order';
import { Decision } from './decision';
import { Words } from './page';
import { Time } from './time';

/** The open question of a shipment, with its answers as buttons. */
export function QuestionCard({
  state,
  question,
}: {
  readonly state: ShipmentState;
  readonly question: Question;
}): ReactNode {
  return (
    <Stack gap="xs">
      <Alert color="yellow" title={`Question ${question.id}`}>
        <Words text={questionText(question)} />
        <Text size="sm" mt="xs">
          Asked <Time at={question.since} />
        </Text>
      </Alert>
      <Group gap="xs">
        {answerButtons(question).map((button) => (
          <Answer key={`${question.id} ${button.kind}`} state={state} question={question} button={button} />
        ))}
        {question.answers.includes('revise') ? (
          <ChangeOrder account={state.account} orderId={state.orderId} />
        ) : null}
      </Group>
    </Stack>
  );
}

function Answer({
  state,
  question,
  button,
}: {
  readonly state: ShipmentState;
  readonly question: Question;
  readonly button: AnswerButton;
}): ReactNode {
  const [premium, setPremium] = useState('');
  const [rateId, setRateId] = useState<string | null>(null);
  const [listingId, setListingId] = useState('');
  const [checked, setChecked] = useState('');
  const filled = { premium, rateId: rateId ?? '', listingId, checked };
  const isComplete =
    (button.needs !== 'premium' || (minorUnitsOf(premium) ?? 0) > 0) &&
    (button.needs !== 'rate' || rateId !== null) &&
    (button.needs !== 'listing' || /^\d{1,12}$/.test(listingId.trim()));
  const { account, orderId, rates } = state;
  const { place } = answerRequest(button, question.id, { ...filled, reason: '', person: '' });
  // `rebook` and `close` may need it even when no listing is unreadable, such as after the pickup.
  const canCheck =
    checkableAnswers(state).includes(button.kind) || ['adopt', 'rebook', 'close'].includes(button.kind);
  return (
    <Decision
      label={button.label}
      effect={button.effect}
      isGrave={button.isGrave}
      place={`${shipmentPath(account, orderId)}/${place}`}
      bodyOf={(reason) =>
        isComplete ? answerRequest(button, question.id, { ...filled, reason, person: '' }).body : null
      }
    >
      {button.needs === 'premium' ? (
        <TextInput
          label="Premium"
          description="In the currency of the price, such as 48.50"
          required
          inputMode="decimal"
          value={premium}
          error={premium !== '' && minorUnitsOf(premium) === null ? 'Write an amount such as 48.50' : null}
          onChange={(event) => setPremium(event.currentTarget.value)}
        />
      ) : null}
      {button.needs === 'rate' ? (
        <Select
          label="Rate"
          required
          data={rates.map((rate) => ({ value: rate.rateId, label: rateText(rate) }))}
          value={rateId}
          onChange={setRateId}
        />
      ) : null}
      {button.needs === 'listing' ? (
        <TextInput
          label="Listing id"
          description={
            question.listingIds.length === 0
              ? undefined
              : `The question names ${question.listingIds.join(', ')}.`
          }
          required
          inputMode="numeric"
          value={listingId}
          onChange={(event) => setListingId(event.currentTarget.value)}
        />
      ) : null}
      {canCheck ? (
        <Textarea
          label="What you checked"
          description="Only if you looked it up: a listing that cannot be read is gone or is the order’s, or no truck has the goods."
          autosize
          maxLength={2_000}
          value={checked}
          onChange={(event) => setChecked(event.currentTarget.value)}
        />
      ) : null}
    </Decision>
  );
}
