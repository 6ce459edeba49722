/**
 * An example to copy: of several processes the leader watches a folder of an SFTP server and hands the rows of its files to
 * all, each row once, whoever is killed. {@link dev.doyen.examples.sftp.PaymentImport} is the program.
 *
 * <p>Assumes that a file is complete when it has its name, and that a name is used once: senders upload under another name
 * and rename.
 */
@NullMarked
package dev.doyen.examples.sftp;

import org.jspecify.annotations.NullMarked;
