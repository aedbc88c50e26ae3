// The types of galley.mjs. What stands below "Schemas" is made of htdocs/openapi.json by
// tests/clients/types.mjs; a test compares the two.

export interface Options {
  /** The id of the workspace that the key must belong to; by default the first one that a store sees. */
  workspace?: string | null;
  /** Seconds for one answer: 30. */
  timeout?: number;
  /** Tries of one request, including the first one: 5. */
  tries?: number;
  /** Seconds: if the service asks for a longer wait, the error is thrown at once. 120. */
  waitMax?: number;
  /** Is called with a word before each request and each write of sync(). */
  onStep?: (word: string) => void;
  fetch?: typeof fetch;
  /** Waits for a number of seconds. */
  sleep?: (seconds: number) => Promise<unknown>;
  /** Returns the seconds of a steady clock. */
  clock?: () => number;
}

export type Query = Record<string, string | number | boolean | null | undefined>;

export type Answer<T> =
  | { data: T; etag: string | null; unchanged: false }
  | { data: null; etag: string; unchanged: true };

export interface State {
  workspace_id?: string | null;
  checkpoint?: string;
  settings_revision?: string;
  full_scan_at?: number | null;
}

export interface StoredArticle {
  /** The manifest revision. Compare it only with a manifest's. */
  manifest: string;
  etag: string | null;
  article: Article;
}

/** The place of a site's copies. */
export interface Store {
  /** Keeps others out until the function that it returns is called. */
  lock?(): Promise<() => unknown>;
  state(): Promise<State | null>;
  /** Writes the state in one write: whole or not at all. */
  saveState(state: State): Promise<unknown>;
  ids(): Promise<string[]>;
  get(id: string): Promise<StoredArticle | null>;
  put(id: string, record: StoredArticle): Promise<unknown>;
  remove(id: string): Promise<unknown>;
}

export interface SyncResult {
  added: string[];
  updated: string[];
  removed: string[];
  /** Whether all published articles were listed. */
  full: boolean;
}

export type OrderOptions = Omit<Order, 'topic'>;

/** The time of the clock, in seconds, until which a call may last. */
export interface Until {
  until?: number | null;
}

export class Galley {
  workspace: string | null;
  step: (word: string) => void;
  constructor(url: string, key: string, options?: Options);
  /** A parameter that the path does not have is an InvalidArgument: the API would ignore it. */
  get<T = unknown>(path: string, query?: Query, options?: Until & { etag?: string | null }): Promise<Answer<T>>;
  connection(): Promise<Connection>;
  pricing(): Promise<Pricing>;
  article(id: string, options?: { drafts?: boolean }): Promise<Article>;
  articles(options?: { drafts?: boolean; limit?: number }): AsyncGenerator<Article, void, undefined>;
  job(id: string, options?: Until): Promise<Job>;
  order(topic: string, idempotencyKey: string, order?: OrderOptions, options?: Until): Promise<Job>;
  /** `deadline` and `poll` in seconds: 900 and 10. The first polls come sooner: after 1, 2, 3 and 5 seconds. */
  generate(
    topic: string,
    idempotencyKey: string,
    order?: OrderOptions,
    options?: { deadline?: number; poll?: number },
  ): Promise<Job>;
  sync(store: Store, options?: { full?: boolean; allowRemovals?: number }): Promise<SyncResult>;
}

export class FolderStore implements Store {
  constructor(folder: string, options?: { onStep?: (word: string) => void });
  lock(): Promise<() => unknown>;
  state(): Promise<State>;
  saveState(state: State): Promise<void>;
  ids(): Promise<string[]>;
  get(id: string): Promise<StoredArticle | null>;
  put(id: string, record: StoredArticle): Promise<void>;
  remove(id: string): Promise<void>;
}

export class GalleyError extends Error {}
export class InvalidArgument extends GalleyError {}
export class ApiError extends GalleyError {
  status: number;
  code: ErrorCode | null;
  param: string | null;
  requestId: string | null;
  retryAfter: number | null;
  details: Partial<ErrorBody & InvalidRequestBody & InsufficientCreditsBody & ConflictBody>;
}
export class InvalidRequest extends ApiError {}
export class Unauthorized extends ApiError {}
export class InsufficientCredits extends ApiError {}
export class Forbidden extends ApiError {}
export class NotFound extends ApiError {}
export class Conflict extends ApiError {}
export class RateLimited extends ApiError {}
export class ServiceUnavailable extends ApiError {}
export class Unreachable extends GalleyError {}
export class WrongWorkspace extends GalleyError {}
export class StoreBroken extends GalleyError {}
export class StoreBusy extends GalleyError {}
export class TooManyRemovals extends GalleyError {
  count: number;
  held: number;
}
export class JobFailed extends GalleyError {
  job: Job;
}
export class DeadlinePassed extends GalleyError {
  job: Job;
}

/** What generateMetadata() of Next.js returns. */
export interface Metadata {
  title: { absolute: string };
  description?: string;
  robots: string;
  alternates?: { canonical: string };
  openGraph: OpenGraph;
  twitter: Twitter;
}

export function direction(article: Article): 'ltr' | 'rtl';
export function jsonLdText(article: Article): string;
export function jsonLdScript(article: Article): string;
export function metadata(article: Article): Metadata;
/** Whether a POST with this text and this header Galley-Signature is a ping of Galley. */
export function pingChecks(
  secret: string,
  body: string,
  signature: string | null | undefined,
  options?: { tolerance?: number; now?: number },
): Promise<boolean>;

// Schemas

/** The key's workspace and what the key may do. */
export interface Connection {
  /** Identifies the API response contract: two numeric parts. */
  api_version: string;
  /** The workspace that the key belongs to. Compare `id` with the one you expect before you write anything. */
  workspace: {
    id: string;
    name: string;
    /** A BCP 47 tag. */
    language: string;
  };
  /** Scopes held by the key. */
  scopes: Array<Scope>;
  /** Null unless analytics is enabled for the workspace. Only public browser configuration is in it. */
  analytics: Analytics | null;
}

/** What a key may do. `articles:read`: read published articles, test the connection, read the sync feed. `drafts:read`: additionally include drafts with `drafts=true`; it never replaces `articles:read`. `articles:generate`: read pricing, create jobs, check job status; it can spend credits, so it is kept on a separate key. */
export type Scope = "articles:read" | "drafts:read" | "articles:generate";

/** Public browser configuration. Origin settings are separate from API authentication and do not replace a key. */
export interface Analytics {
  site_id: string;
  consent_required: true;
  allowed_origins: Array<string>;
}

/** A page of articles. Detail retrieval returns a one-item array. */
export interface ArticlePage {
  data: Array<Article>;
  pagination: Pagination;
}

/** Where this page stands in the list. */
export interface Pagination {
  limit: number;
  /** Legacy. Null when the page was asked for with a cursor, and for one article. */
  offset: number | null;
  /** Whether another page exists. */
  has_more: boolean;
  /** Opaque. Send it URL-encoded and otherwise exactly as it came. Null ends the list. */
  next_cursor: string | null;
  /** Legacy offset flow only. */
  next_offset: number | null;
}

/** One article in five views: `html`, `head_html`, `seo`, `json_ld` and `content`. This server always sends every field; unknown is null. */
export interface Article {
  /** Stable identity of the article. */
  id: string;
  /** Version of the exported content format, independent of `api_version`. */
  schema_version: "1.1";
  /** Opaque digest of the exported content and the workspace publishing settings. Used only to detect change by comparison with the previous value. It is a different token from the manifest revision of `/sync`: this one begins with `x1_`, that one with `m1_`. */
  revision: string;
  /** The publication's number, from 1. Null for a draft that never was published. */
  version?: number | null;
  status?: "draft" | "published";
  /** Unique in the workspace; may change. Keep articles by `id`. */
  slug?: string;
  title?: string;
  /** Escaped semantic fragment for the page body. It contains its own article element, one H1, sections, links, image alt text, references, and language and direction attributes. It is not a complete HTML document. */
  html: string;
  /** Server-rendered head metadata: title, description, robots, canonical when available, social metadata and safely serialized JSON-LD. Use this, or `seo` with `json_ld`; never both. */
  head_html: string;
  content: Content;
  seo: Seo;
  json_ld: JsonLd;
  /** Informational; always the same checks in the same order. `No placeholder text` also fails while an article is published unfinished. */
  publishing_checks?: Array<PublishingCheck>;
  /** Estimated reading time. */
  reading_minutes?: number;
  /** Cover image URL when available. */
  image_url?: string | null;
  /** In pixels. Null when it is not known: do not invent it. */
  image_width?: number | null;
  /** In pixels. Null when it is not known: do not invent it. */
  image_height?: number | null;
}

export interface PublishingCheck {
  label: string;
  passed: boolean;
}

/** Structured metadata: the same facts as `head_html`, for frameworks that render the head themselves. */
export interface Seo {
  title: string;
  /** Empty when the article has none: then leave the element out. */
  description: string;
  /** Null when no final address is configured. */
  canonical: string | null;
  /** Ready for a robots meta element. `noindex, follow` where an article wants it, and while it is published unfinished: what was left to write is in no published bytes. */
  robots: string;
  /** The document language, a BCP 47 tag. Right-to-left is used for Arabic and the other languages written so. */
  language: string;
  openGraph: OpenGraph;
  twitter: Twitter;
}

/** Members without a value are left out. */
export interface OpenGraph {
  type: "article";
  title: string;
  description?: string;
  url?: string;
  siteName?: string;
  /** Language and territory: `en_US`. */
  locale?: string;
  images?: Array<{
    url: string;
    width?: number;
    height?: number;
    alt?: string;
    type?: string;
  }>;
  publishedTime?: string;
  modifiedTime?: string;
  /** Profile addresses. */
  authors?: Array<string>;
  section?: string;
  tags?: Array<string>;
}

/** Members without a value are left out. */
export interface Twitter {
  card: "summary" | "summary_large_image";
  title: string;
  description?: string;
  images?: Array<{
    url: string;
    alt?: string;
  }>;
}

/** Structured data graph generated from the article and workspace settings. */
export interface JsonLd {
  "@context": "https://schema.org";
  "@graph": Array<{
    [member: string]: unknown;
  }>;
}

/** Editable structured content, from which the other views are made. Texts may hold five inline marks: `**strong**`, `*emphasis*`, a code span, `[text](address)` and `[^r1]`, a citation; a backslash makes the next character literal. */
export interface Content {
  /** The lead; empty for none. */
  summary: string;
  takeaways: Array<string>;
  sections: Array<Section>;
  faqs: Array<{
    id: string;
    question: string;
    answer: string;
  }>;
  references: Array<Reference>;
  imageAlt: string | null;
  imageCaption: string | null;
  /** Headings of the fixed parts, in the article's language. */
  labels: {
    takeaways: string;
    faqs: string;
    references: string;
  };
}

export interface Section {
  /** Stable across edits; the anchor in `html` ends with it. */
  id: string;
  /** Empty only in a first section. */
  heading: string;
  /** The flow. Steps, tables and callouts that no block places follow it. */
  body: Array<Block>;
  steps: Array<{
    name: string;
    text: string;
  }>;
  tables: Array<Table>;
  callouts: Array<Callout>;
  subsections: Array<Subsection>;
}

export interface Subsection {
  /** Stable across edits; the anchor in `html` ends with it. */
  id: string;
  /** Empty only in a first section. */
  heading: string;
  /** The flow. Steps, tables and callouts that no block places follow it. */
  body: Array<Block>;
  steps: Array<{
    name: string;
    text: string;
  }>;
  tables: Array<Table>;
  callouts: Array<Callout>;
}

export interface Table {
  caption: string | null;
  columns: Array<string>;
  /** Of each column. Absent where no column has any. */
  align?: Array<"left" | "center" | "right" | null>;
  /** Whether the first cell of a row is its heading. */
  rowHeader: boolean;
  rows: Array<Array<string>>;
}

export interface Callout {
  /** `todo` appears in drafts only. */
  kind: "note" | "tip" | "important" | "warning" | "caution" | "todo";
  title: string | null;
  text: string;
}

/** A piece of the flow, told apart by `type`. */
export type Block = {
  type: "paragraph";
  text: string;
} | {
  type: "heading";
  text: string;
} | {
  type: "list";
  ordered: boolean;
  items: Array<ListItem>;
} | {
  type: "quote";
  text: string;
  cite: string | null;
} | {
  type: "code";
  language: string | null;
  text: string;
} | {
  type: "image";
  url: string;
  alt: string;
  caption: string | null;
  width: number | null;
  height: number | null;
} | {
  type: "table";
  /** Of the section's `tables`. */
  index: number;
} | {
  type: "callout";
  /** Of the section's `callouts`. */
  index: number;
} | {
  type: "steps";
} | {
  type: "rule";
};

export interface ListItem {
  text: string;
  /** Of its own `items`. */
  ordered?: boolean;
  items: Array<ListItem>;
}

export interface Reference {
  id: string;
  title: string;
  url: string | null;
  publisher: string | null;
  /** A date as the source gives it. */
  published: string | null;
  accessed: string | null;
}

/** The published articles whose manifest changed, without their bodies. */
export interface SyncManifest {
  /** Confirm that it is the workspace you expect. */
  workspace_id: string;
  /** Store it together with `checkpoint`, as one pair. */
  settings_revision: string;
  /** Store it together with `settings_revision`, after the last page, and send it as `since` next time. The same on every page of a scan. */
  checkpoint: string;
  data: Array<{
    id: string;
    title: string;
    /** Manifest change token, distinct from the article's export revision. */
    revision: string;
  }>;
  pagination: {
    /** Null ends the scan. */
    next_cursor: string | null;
  };
}

/** Maximum reservations in credits, not final charges. */
export interface Pricing {
  billing: "usage_based";
  /** Maximum credit reservation for an article job. */
  article: number;
  /** Maximum reservation for an article job with an image. */
  article_with_image: number;
  /** Maximum reservation for a research job. */
  research: number;
  description: string;
}

/** What to generate. Members that are not listed are refused, so that a misspelt guard is noticed. */
export interface Order {
  /** Empty: the research brief's topic, else one of the workspace's own themes. */
  topic?: string;
  /** false requests no generated image. */
  image?: boolean;
  /** Whether the finished article is published. Else it is a draft. */
  autoPublish?: boolean;
  kind?: "article" | "research";
  /** A completed research job of the same workspace, whose brief is used. */
  researchId?: string;
  /** Spending guard. A current reservation above it returns 409 and reserves and charges nothing. */
  maxCredits?: number;
}

/** A generation job. */
export interface Job {
  id: string;
  /** The same value as `id`. */
  job_id: string;
  kind: "article" | "research";
  /** Moves only forwards. Stop polling on `completed` and `failed`. */
  status: "queued" | "running" | "completed" | "failed";
  /** What is being done; of a failed job, where it stopped. */
  stage: "queued" | "research" | "outline" | "writing" | "image" | "checks" | "publishing" | "done";
  /** Why the job failed, in a sentence. */
  error: string | null;
  /** The kind of failure. */
  error_code: "provider_unavailable" | "provider_refused" | "provider_not_configured" | "invalid_output" | "timeout" | "cancelled" | "internal_error" | null;
  /** The result of a completed article job. */
  article_id: string | null;
  /** The brief that an article was ordered with; of a completed research job, its own id. */
  research_id: string | null;
  /** The brief of a completed research job. */
  research: Brief | null;
  /** The reservation while the job is pending, the final charge after completion, 0 after failure. */
  cost: number;
  /** The reservation. */
  reserved_credits: number;
  created_at: string;
  /** When the reservation was settled or refunded. */
  settled_at: string | null;
}

/** A research brief. Send the job's id as `researchId` to order an article from it. */
export interface Brief {
  topic: string;
  summary: string;
  angle: string;
  audience: string;
  outline: Array<{
    heading: string;
    points: Array<string>;
  }>;
  questions: Array<string>;
  keywords: Array<string>;
  sources: Array<{
    id: string;
    title: string;
    url: string | null;
    publisher: string | null;
    published: string | null;
  }>;
  /** Articles of the workspace. */
  related: Array<string>;
}

/** The kind of refusal, for programs. `x-errors` of this document says of each what causes it and what to do. */
export type ErrorCode = "invalid_request" | "unauthorized" | "insufficient_credits" | "forbidden" | "not_found" | "method_not_allowed" | "conflict" | "payload_too_large" | "uri_too_long" | "rate_limited" | "internal_error" | "bad_gateway" | "service_unavailable" | "gateway_timeout";

/** Every refusal. */
export interface ErrorBody {
  /** A sentence that says what to do. */
  error: string;
  code: ErrorCode;
  /** What to quote to the operator; the value of `X-Request-Id`. Absent when the web server itself answered. */
  request_id?: string;
}

/** A refusal that names what was wrong. */
export interface InvalidRequestBody {
  /** A sentence that says what to do. */
  error: string;
  code: ErrorCode;
  /** What to quote to the operator; the value of `X-Request-Id`. Absent when the web server itself answered. */
  request_id?: string;
  /** The query parameter, the body's member, `id` for the path, `Idempotency-Key`, or `body` for the whole body and for a member whose name cannot be shown. */
  param?: string;
}

/** A refusal with the two amounts. */
export interface InsufficientCreditsBody {
  /** A sentence that says what to do. */
  error: string;
  code: ErrorCode;
  /** What to quote to the operator; the value of `X-Request-Id`. Absent when the web server itself answered. */
  request_id?: string;
  required_credits: number;
  available_credits: number;
}

/** A refusal with the two amounts. */
export interface ConflictBody {
  /** A sentence that says what to do. */
  error: string;
  code: ErrorCode;
  /** What to quote to the operator; the value of `X-Request-Id`. Absent when the web server itself answered. */
  request_id?: string;
  required_credits: number;
  max_credits: number;
}
