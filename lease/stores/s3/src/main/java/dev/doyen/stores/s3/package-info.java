/**
 * Stores leases and fences in S3 buckets, through the AWS SDK.
 *
 * <p>This package sends the requests to the service. The package {@code dev.doyen.stores.objects} decides what a store
 * and a fence do.
 */
@NullMarked
package dev.doyen.stores.s3;

import org.jspecify.annotations.NullMarked;
