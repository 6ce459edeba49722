/** What the starter's README shows. */
@NullMarked
package dev.doyen.spring.readme;

import org.jspecify.annotations.NullMarked;
