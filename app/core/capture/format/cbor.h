// The part of CBOR (RFC 8949) that captures are made of: unsigned integers, text, byte strings, booleans, null,
// single-precision floats, arrays and maps of definite length. Every number is bound to one encoding, so that floats
// keep their bits and equal records are equal bytes. libcbor puts items into bytes and finds them there; what is here
// holds it to the subset.
#pragma once

#include <cstdint>
#include <exception>
#include <initializer_list>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::core {

class CborWriter {
  public:
    void unsigned_integer(std::uint64_t value);
    void single(float value);
    void boolean(bool value);
    void null();
    void text(std::string_view value);
    void bytes(std::span<const std::uint8_t> value);
    void array(std::uint64_t items);
    void map(std::uint64_t pairs);
    void raw(std::span<const std::uint8_t> items); // already encoded

    const std::vector<std::uint8_t>& bytes() const { return bytes_; }
    void clear() { bytes_.clear(); } // keeps the memory

  private:
    template <class Encode, class... Value>
    void append(Encode encode, Value... value);

    std::vector<std::uint8_t> bytes_;
};

// What does not fit the subset above or the expected structure. `offset` counts from the start of the reader's bytes.
class CborError : public std::runtime_error {
  public:
    CborError(std::size_t offset, const std::string& what) : std::runtime_error(what), offset_(offset) {}
    std::size_t offset() const { return offset_; }

  private:
    std::size_t offset_;
};

// The bytes end, and more of them may come: to be tried again with more.
class CborCutOff : public std::exception {
  public:
    const char* what() const noexcept override { return "the bytes end within a record"; }
};

// Reads items one after the other. Announced lengths are checked against the bytes that are left before anybody
// allocates for them: an item takes at least one byte. Lengths and integers must be in their shortest form.
class CborReader {
  public:
    // `to_come`: so many bytes at most may follow these, and are not there yet. Where these end, CborCutOff is thrown
    // then; what is wrong before that is a CborError as ever.
    explicit CborReader(std::span<const std::uint8_t> bytes, std::uint64_t to_come = 0)
        : bytes_(bytes), to_come_(to_come) {}

    std::uint64_t unsigned_integer();
    float single();
    bool boolean();
    bool take_null(); // true and past it, if the next item is null
    std::string_view text();
    std::span<const std::uint8_t> byte_string(); // stays valid as long as the reader's bytes
    std::uint64_t array();
    void array(std::uint64_t items); // of exactly so many items
    std::uint64_t map();
    void map(std::uint64_t pairs);
    std::uint64_t map(std::initializer_list<std::uint64_t> sizes); // of one of these; which
    void key(std::string_view expected);                           // the text of a map's next key

    bool at_end() const { return offset_ == bytes_.size(); }
    std::size_t offset() const { return offset_; }
    // The same bytes, read on from another item, which has been passed before.
    CborReader at(std::size_t offset) const {
        CborReader there(*this);
        there.offset_ = offset;
        return there;
    }
    std::size_t left() const { return bytes_.size() - offset_; }
    std::span<const std::uint8_t> taken_since(std::size_t offset) const {
        return bytes_.subspan(offset, offset_ - offset);
    }
    [[noreturn]] void fail(const std::string& what) const { throw CborError(offset_, what); }

  private:
    struct Item;
    enum class Kind { unsigned_integer, single, boolean, null, text, bytes, array, map, other };
    Item decode() const;                        // the next item, without passing it
    Item take(Kind kind, const char* expected); // and past it

    // Can so many items be there, of so many bytes at least?
    bool has_room(std::uint64_t items, std::uint64_t least) const;

    std::span<const std::uint8_t> bytes_;
    std::uint64_t to_come_;
    std::size_t offset_ = 0;
};

} // namespace cairn::core
