/** What a container image is made of and what goes where in it: values only. {@code driver} reads, runs tools and writes. */
@NullMarked
package dev.doyen.image;

import org.jspecify.annotations.NullMarked;
