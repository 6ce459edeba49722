/** Leases and fences in S3 buckets: the port of {@code dev.doyen.stores.objects}, carried out by the AWS SDK. */
@NullMarked
package dev.doyen.stores.s3;

import org.jspecify.annotations.NullMarked;
