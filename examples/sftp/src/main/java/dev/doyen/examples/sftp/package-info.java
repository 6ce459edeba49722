/**
 * An example to copy: the leader hands the rows of files on an SFTP server to all processes.
 *
 * <p>Each row is booked once, whichever process is killed. {@link dev.doyen.examples.sftp.PaymentImport} is the
 * program.
 *
 * <p>Assumptions: a file with a name is complete, and each name is used only once. Senders upload under another name
 * and then rename.
 */
@NullMarked
package dev.doyen.examples.sftp;

import org.jspecify.annotations.NullMarked;
