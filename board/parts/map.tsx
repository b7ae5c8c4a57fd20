import { Text } from '@mantine/core';
import { geoAlbersUsa, geoPath } from 'd3-geo';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import areas from 'virtual:postal-areas';
import statesUrl from 'us-atlas/states-albers-10m.json?url';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { Shipment, Stop } from '../../src/domain/shipment';
import type { Tracking } from '../../src/domain/tracking';
import { placeOf, type Place } from '../place';

/** The size for which the states are drawn in their file. */
const WIDTH = 975;
const HEIGHT = 610;
const project = geoAlbersUsa()
  .scale(1_300)
  .translate([WIDTH / 2, HEIGHT / 2]);

type States = Topology<{ readonly states: GeometryCollection }>;

interface Mark {
  readonly name: string;
  readonly kind: 'stop' | 'truck';
  readonly point: readonly [number, number];
}

const markOf = (name: string, kind: Mark['kind'], place: Place | null): Mark[] => {
  const point = place === null ? null : project([place.longitude, place.latitude]);
  return point === null ? [] : [{ name, kind, point }];
};

const nameOf = ({ address: { city, state } }: Stop): string => `${city}, ${state}`;

/** The stops and the last position on the states of the US, drawn from a file of the board. */
export function ShipmentMap({
  order,
  tracking,
  lastSeen,
}: {
  readonly order: Pick<Shipment, 'origin' | 'destination'>;
  readonly tracking: Tracking | null;
  readonly lastSeen: string | null;
}): ReactNode {
  const { data: states } = useQuery({
    queryKey: ['states'],
    queryFn: async () => (await (await fetch(statesUrl)).json()) as States,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const outlines = useMemo(() => {
    if (states === undefined) return [];
    const path = geoPath();
    return feature(states, states.objects.states).features.map((state) => path(state) ?? '');
  }, [states]);
  const { origin, destination } = order;
  const [from, to] = [placeOf(origin.address, areas), placeOf(destination.address, areas)];
  const { latitude = null, longitude = null } = tracking ?? {};
  const truck = latitude === null || longitude === null ? null : { latitude, longitude, isRough: false };
  const stops = [...markOf(nameOf(origin), 'stop', from), ...markOf(nameOf(destination), 'stop', to)];
  const marks = [...stops, ...markOf('truck', 'truck', truck)];
  const view = viewOf(marks);
  // Marks and names are as large in a part of the map as in the whole.
  const scale = view.width / 600;
  const isRough = from?.isRough === true || to?.isRough === true;
  const seen =
    truck === null ? 'No position is known.' : `Last seen${lastSeen === null ? '' : ` at ${lastSeen}`}.`;
  const says = `From ${nameOf(origin)} to ${nameOf(destination)}. ${seen}`;
  return (
    <figure style={{ margin: 0 }}>
      {marks.length === 0 ? null : (
        <svg className="map" viewBox={view.box} role="img" aria-label={says}>
          {outlines.map((outline) => (
            <path key={outline.slice(0, 40)} className="state" d={outline} />
          ))}
          {stops.length < 2 ? null : (
            <polyline className="way" points={stops.map(({ point }) => point.join(',')).join(' ')} />
          )}
          {marks.map(({ name, kind, point: [x, y] }, index) => (
            <g key={`${kind} ${name}`} transform={`translate(${x} ${y}) scale(${scale})`}>
              <circle className={kind} r={kind === 'truck' ? 9 : 7} />
              {/* Beside, below and left of their marks, so that near places do not cover each other's names. */}
              <text
                x={kind === 'truck' ? -14 : 12}
                y={kind === 'truck' ? 6 : index === 0 ? -6 : 22}
                textAnchor={kind === 'truck' ? 'end' : 'start'}
              >
                {name}
              </text>
            </g>
          ))}
        </svg>
      )}
      <Text component="figcaption" size="sm" c="dimmed">
        {says}
        {isRough ? ' Stops are placed by the first three digits of their postal codes.' : ''}
      </Text>
    </figure>
  );
}

const LEAST_WIDTH = 420;
const MARGIN = 110;

/** The part of the map that shows the marks, in the proportions of the whole. */
function viewOf(marks: readonly Mark[]): { readonly width: number; readonly box: string } {
  const xs = marks.map(({ point }) => point[0]);
  const ys = marks.map(({ point }) => point[1]);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const needed = Math.max(right - left + 2 * MARGIN, ((bottom - top + 2 * MARGIN) * WIDTH) / HEIGHT);
  const width = Math.min(WIDTH, Math.max(LEAST_WIDTH, needed));
  const height = (width * HEIGHT) / WIDTH;
  const within = (middle: number, size: number, whole: number): number =>
    Math.min(Math.max(0, middle - size / 2), whole - size);
  const corner = [within((left + right) / 2, width, WIDTH), within((top + bottom) / 2, height, HEIGHT)];
  return { width, box: [...corner, width, height].map((number) => Math.round(number)).join(' ') };
}
