/**
 * Provides an example to copy. The leader hands out the rows of files on an SFTP server to all processes.
 *
 * <p>Each row is booked once, even if any process is killed. {@link dev.doyen.examples.sftp.PaymentImport} is the
 * program.
 *
 * <p>The example assumes that every file whose name does not start with a dot is complete, and that each name is used
 * only once. Senders upload a file under a name with a dot and then rename the file.
 */
@NullMarked
package dev.doyen.examples.sftp;

import org.jspecify.annotations.NullMarked;
