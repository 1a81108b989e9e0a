import { z } from 'zod';
import type { IncidentText } from '../../api/incident-types.ts';
import { incidentText } from '../../api/requests/shapes.ts';

const schema = z.strictObject({ version: z.literal(1), incident: incidentText });

/** @throws {Error} when it is no such file */
export function parseIncident(text: string): IncidentText {
  return schema.parse(JSON.parse(text)).incident;
}

export function formatIncident(incident: IncidentText): string {
  return `${JSON.stringify({ version: 1, incident }, null, 1)}\n`;
}
