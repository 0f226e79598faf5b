import { setTimeout } from 'node:timers/promises';
import { context, DiagLogLevel, diag } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { getNumberFromEnv, setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { AppError } from '../base/errors.ts';
import { createSpans } from './team-spans.ts';

export type Traces = ReturnType<typeof startTraces>;

const maxShutdownMs = 2_000;

/** Starts the OpenTelemetry SDK, which reads its OTEL_* variables from the environment of the process. */
export function startTraces(version: string, onFailure: (error: unknown, where: string) => void) {
  checkEndpoint();
  const report = (error: unknown) => onFailure(error, 'traces');
  const ignore = () => {};
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  setGlobalErrorHandler(report);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'backstory-team', 'service.version': version }))
      .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] })),
    sampler: chooseSampler(),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        scheduledDelayMillis: getNumberFromEnv('OTEL_BSP_SCHEDULE_DELAY') ?? 5_000,
        exportTimeoutMillis: getNumberFromEnv('OTEL_BSP_EXPORT_TIMEOUT') ?? 30_000,
        maxQueueSize: getNumberFromEnv('OTEL_BSP_MAX_QUEUE_SIZE') ?? 2_048,
        maxExportBatchSize: getNumberFromEnv('OTEL_BSP_MAX_EXPORT_BATCH_SIZE') ?? 512,
      }),
    ],
  });
  return {
    ...createSpans(provider.getTracer('backstory', version)),
    /** Sends what is queued, but does not wait long for a collector that does not answer. */
    close: () =>
      Promise.race([provider.shutdown().catch(report), setTimeout(maxShutdownMs, undefined, { ref: false })]),
  };
}

/** Rejects an invalid endpoint. The SDK would only log a warning and send traces to localhost instead. */
function checkEndpoint(): void {
  const { env } = process;
  if ((env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL) === 'grpc')
    throw new AppError('INVALID_ARGUMENT', 'Traces are sent over HTTP, not gRPC.', {
      hint: 'Set OTEL_EXPORTER_OTLP_PROTOCOL=http/json and use the HTTP port of the collector, usually 4318.',
    });
  const url = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT || '';
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new AppError('INVALID_ARGUMENT', 'The OpenTelemetry collector needs an http or https URL.', {
      hint: 'Set OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318',
    });
}

/** Only `@opentelemetry/sdk-node`, which would bring gRPC, reads the two OTEL_TRACES_SAMPLER variables itself. */
function chooseSampler(): Sampler {
  const { OTEL_TRACES_SAMPLER: name = 'parentbased_always_on', OTEL_TRACES_SAMPLER_ARG: ratio } = process.env;
  const root = name.endsWith('always_off')
    ? new AlwaysOffSampler()
    : name.endsWith('traceidratio')
      ? new TraceIdRatioBasedSampler(Number(ratio || 1))
      : new AlwaysOnSampler();
  return name.startsWith('parentbased') ? new ParentBasedSampler({ root }) : root;
}
