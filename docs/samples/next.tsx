// app/blog/[slug]/page.tsx
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { findBySlug } from '@/lib/store'; // your own store, filled by /sync

// Pages are made again after ten minutes at most: what the sync has removed is 404.
export const revalidate = 600;

type Props = { params: Promise<{ slug: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const article = await findBySlug((await params).slug);
  if (!article) return {};
  const { seo } = article;
  return {
    title: { absolute: seo.title },
    description: seo.description || undefined,
    robots: seo.robots,
    alternates: { canonical: seo.canonical ?? undefined },
    openGraph: seo.openGraph,
    twitter: seo.twitter,
  };
}

export default async function Page({ params }: Props) {
  const article = await findBySlug((await params).slug);
  if (!article) notFound();
  const graph = JSON.stringify(article.json_ld).replace(/</g, '\\u003c');
  return (
    <>
      <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: graph }} />
      <div dangerouslySetInnerHTML={{ __html: article.html }} />
    </>
  );
}
