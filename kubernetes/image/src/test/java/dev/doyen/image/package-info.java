/** Tests of the decisions about an image's content. */
@NullMarked
package dev.doyen.image;

import org.jspecify.annotations.NullMarked;
