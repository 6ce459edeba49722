/**
 * Leases and fences in S3 buckets, through the AWS SDK.
 *
 * <p>It implements the port of {@code dev.doyen.stores.objects}, which makes the decisions.
 */
@NullMarked
package dev.doyen.stores.s3;

import org.jspecify.annotations.NullMarked;
